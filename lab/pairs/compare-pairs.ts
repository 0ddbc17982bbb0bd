/**
 * Compares all pairs of versions of each real server and prints the processor time and a digest of the reports:
 * `compare-pairs.ts <checkout> <folder of lists>`. A list is `<server>@<version>.json`: the result of `initialize` as
 * `serverInfo` and `capabilities`, and the result of `tools/list` as `result`.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";

type McpLock = typeof import("@agentprint/mcp-lock");

/** The processor time that comparing all pairs took, and the digest of each pair's report. */
export interface Compared {
  readonly seconds: number;
  readonly digests: Readonly<Record<string, string>>;
}

interface List {
  readonly server: string;
  readonly version: string;
  readonly answers: ReturnType<typeof answersOf>;
}

function readLists(folder: string): List[] {
  return readdirSync(folder).flatMap((file) => {
    const [, server, version] = /^(.+)@(.+)\.json$/.exec(file) ?? [];
    if (server === undefined || version === undefined) return [];
    const { serverInfo, capabilities, result } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      readonly serverInfo: JsonObject;
      readonly capabilities: JsonObject;
      readonly result: { readonly tools: JsonObject[] };
    };
    return [{ server, version, answers: answersOf(result.tools, { serverInfo, capabilities }) }];
  });
}

/** Returns all pairs of versions of one server, the older version first. */
function pairsOf(lists: readonly List[]): [before: List, after: List][] {
  const sorted = lists.toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
  return sorted.flatMap((before, index) => {
    const later = sorted.slice(index + 1).filter(({ server }) => server === before.server);
    return later.map((after): [List, List] => [before, after]);
  });
}

const [checkout = "", folder = ""] = process.argv.slice(2);
const source = pathToFileURL(join(checkout, "packages/mcp-lock/src/index.ts")).href;
const { checkLock, createLock, driftFindings, formatLock, parseLock }: McpLock = await import(source);
const pairs = pairsOf(readLists(folder));
const locks = pairs.map(([{ answers }]) => parseLock(formatLock(createLock({ server: answers }))));
const digests: Record<string, string> = {};
const before = process.cpuUsage();
for (const [index, [old, { version, answers }]] of pairs.entries()) {
  const drift = checkLock(locks[index] as (typeof locks)[number], { server: answers });
  const report = JSON.stringify([drift, driftFindings(drift)]);
  digests[`${old.server} ${old.version} → ${version}`] = createHash("sha256").update(report).digest("hex");
}
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (user + system) / 1e6, digests } satisfies Compared));
