/**
 * `pnpm --filter agentprint large-json` runs `agentprint hash` on 1 GB, once as an array of records and once as an
 * object with its members in order, and compares the result with the digest of the canonical text that is written at
 * the same time. Fails if a digest differs, or if a text needs over 16 MB more memory than a small one. The lowest of
 * several peaks is used, because a peak varies with the timing of garbage collection.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const GIGABYTE = 1_000_000_000;
const MAX_MEGABYTES = 16;
const ATTEMPTS = 3;
const RECORDS = 5_000;
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/**
 * Prints the peak memory of the process after the command's output, because `maxRSS` of a child would include its
 * parent.
 */
const WEIGH = fileURLToPath(new URL("print-peak.ts", import.meta.url));

interface Weighed {
  readonly digest: string;
  readonly megabytes: number;
}

function weigh(path: string): Weighed {
  const args = [...process.execArgv, "--import", WEIGH, MAIN, "hash", path];
  const [digest = "", kilobytes] = execFileSync(process.execPath, args, { encoding: "utf8" }).split("\n");
  return { digest, megabytes: Number(kilobytes) / 1024 };
}

/** Writes 1 GB of JSON; returns the digest of its canonical text. */
function writeLarge(path: string, [open, close]: readonly [string, string], name: (index: number) => string): string {
  const file = openSync(path, "w");
  const hash = createHash("sha256").update(open);
  writeSync(file, open);
  let bytes = 0;
  for (let index = 0; bytes < GIGABYTE; index += RECORDS) {
    const indexes = Array.from({ length: RECORDS }, (_, offset) => index + offset);
    const text = indexes.map(
      (at) => `${name(at)} {"id": ${at}, "content": "n\\u00e9 ${"words ".repeat(20)}", "at": 1.50}`,
    );
    const canonical = indexes.map((at) => `${name(at)}{"at":1.5,"content":"né ${"words ".repeat(20)}","id":${at}}`);
    const comma = index === 0 ? "" : ",";
    bytes += writeSync(file, `${comma}\n${text.join(",\n")}`);
    hash.update(`${comma}${canonical.join(",")}`);
  }
  writeSync(file, close);
  closeSync(file);
  return hash.update(close).digest("hex");
}

const folder = mkdtempSync(join(tmpdir(), "large-json-"));
try {
  const small = join(folder, "small.json");
  writeFileSync(small, '{"b":1,"a":2}');
  const bare = Math.min(...Array.from({ length: ATTEMPTS }, () => weigh(small).megabytes));
  console.log(`a small text: ${bare.toFixed(1)} MB`);
  const path = join(folder, "large.json");
  for (const [kind, brackets, name] of [
    ["an array of records", ["[", "]"], () => ""],
    ["an object in order", ["{", "}"], (index: number) => `"record ${String(index).padStart(9, "0")}":`],
  ] as const) {
    const expected = writeLarge(path, brackets, name);
    const runs = Array.from({ length: ATTEMPTS }, () => weigh(path));
    const more = Math.min(...runs.map(({ megabytes }) => megabytes)) - bare;
    const isRight = runs.every(({ digest }) => digest === expected);
    console.log(`${kind}, 1 GB: ${more.toFixed(1)} MB more; ${isRight ? "the expected digest" : "another digest"}`);
    if (!isRight || more > MAX_MEGABYTES) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
