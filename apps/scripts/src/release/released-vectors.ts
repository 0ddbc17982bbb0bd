/**
 * `node --conditions=@agentprint/source apps/scripts/src/release/released-vectors.ts`: runs the vectors of the newest
 * release against the code of this workspace. A package whose vectors fail may be released only as a new major version.
 * Exit 1: such a package is not a new major version.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSuites } from "../../../../fixtures/src/index.ts";
import { manifestIn } from "../packed-packages.ts";

const VECTORS = "@agentprint/golden-vectors";

/** Returns npm's output, or with `--json` an error's output. */
function npm(...words: readonly string[]): string {
  const { status, stdout } = spawnSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  if (status === 0 || words.includes("--json")) return stdout;
  throw new Error(`npm ${words.join(" ")} ended with ${status}`);
}

/** Returns the newest version of a package in the registry, or `undefined` if it has none. */
function newestVersion(name: string): string | undefined {
  const answer = JSON.parse(npm("view", name, "version", "--json", "--fetch-retries=1")) as
    | string
    | { readonly error: { readonly code: string; readonly summary: string } };
  if (typeof answer === "string") return answer;
  if (answer.error.code === "E404") return undefined;
  throw new Error(`${name}: ${answer.error.summary}`); // a registry that does not answer is not a registry without the package
}

const majorOf = (version: string): number => Number.parseInt(version, 10);

/**
 * Returns a line for each package whose released vectors fail with the code of this workspace although its version is
 * not a new major one.
 */
async function changedDigests(root: string): Promise<string[]> {
  const { suites, failures } = await runSuites([], { root });
  const failed = suites.filter((suite) => suite.failed > 0 || suite.unsupported > 0);
  const domains = new Set(failed.map(({ suite }) => suite.split("/")[0] as string));
  return [...domains].flatMap((domain) => {
    const own = manifestIn(join("packages", domain));
    const { name, version } = own.private ? manifestIn("apps/cli") : own; // the command includes what is private
    const before = newestVersion(name);
    if (before === undefined || majorOf(version) > majorOf(before)) return [];
    const first = failures.find(({ suite }) => suite.startsWith(`${domain}/`));
    const vector = first ? `${first.suite} ${first.id}: ${first.reason}` : "the operation is gone";
    return [`${name} ${version} gives different results from ${before} (${vector}): that needs a new major version`];
  });
}

const newest = newestVersion(VECTORS);
if (newest === undefined) {
  console.log(`${VECTORS} is not released yet: any vector may still change`);
} else {
  const folder = mkdtempSync(join(tmpdir(), "released-vectors-"));
  try {
    npm("pack", `${VECTORS}@${newest}`, "--pack-destination", folder);
    execFileSync("tar", ["-xzf", join(folder, readdirSync(folder)[0] ?? ""), "-C", folder]);
    const problems = await changedDigests(join(folder, "package", "vectors"));
    for (const problem of problems) console.error(`Error: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else console.log(`the vectors of ${newest} give the same results with this code`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
