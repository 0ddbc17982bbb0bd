// Hashes documents and prints the cost of each tenth of them: hash-documents.ts <documents>. Every thousandth digest is
// compared with another library's.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hashJson } from "@agentprint/canonical-json";
import canonicalizeElsewhere from "canonicalize";

const COMPARED_EACH = 1000;
const TENTHS = 10;

function documentOf(index: number): object {
  const name = `tool-${index % 977} "é😀\n"`;
  const inputSchema = {
    type: "object",
    required: ["b", "a"],
    properties: { b: { maximum: index / 7 }, a: { enum: [index, null, true] } },
  };
  return { name, inputSchema, description: "d".repeat(index % 200), annotations: { readOnlyHint: index % 2 === 0 } };
}

const documents = Number(process.argv[2] ?? 10_000_000);
const digests = createHash("sha256");
for (let tenth = 0; tenth < TENTHS; tenth++) {
  const first = Math.floor((documents * tenth) / TENTHS);
  const end = Math.floor((documents * (tenth + 1)) / TENTHS);
  const before = process.cpuUsage();
  for (let index = first; index < end; index++) {
    const document = documentOf(index);
    const digest = hashJson(JSON.stringify(document));
    digests.update(digest);
    if (index % COMPARED_EACH > 0) continue;
    assert.equal(
      digest,
      createHash("sha256")
        .update(canonicalizeElsewhere(document) ?? "")
        .digest("hex"),
    );
  }
  const { user, system } = process.cpuUsage(before);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${end} documents, ${((user + system) / (end - first)).toFixed(2)} µs of processor time each, peak ${memory} MB`,
  );
}
console.log(`all digests: ${digests.digest("hex")}`);
