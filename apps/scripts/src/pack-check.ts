/**
 * Packs every published package once, as for publication, and lets `publint` and, if the package has types, `attw`
 * judge the tarball: `pnpm --filter scripts pack:check`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sync as spawnSync } from "cross-spawn";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { judgeBundled } from "./judge-bundled.ts";
import { manifestIn, packPackages, publicPackages, REPOSITORY } from "./packed-packages.ts";

const CHANGELOG = "CHANGELOG.md";
const ATTW = join(REPOSITORY, "apps/scripts/node_modules/.bin/attw");

const folder = mkdtempSync(join(tmpdir(), "pack-check-"));
try {
  const packages = publicPackages();
  const tarballs = packPackages(packages.keys(), folder);
  for (const [name, path] of packages) {
    const tarball = tarballs.get(name);
    if (tarball === undefined) throw new Error(`${name}: expected a tarball`);
    const problems = [
      ...(await judgePackage(tarball)),
      ...(hasTypes(path) ? judgeTypes(path, tarball) : []),
      ...judgeChangelog(path, tarball),
      ...(await judgeBundled(tarball)),
    ];
    console.log(problems.length === 0 ? `${name}: packed correctly` : `Error: ${name}\n${problems.join("\n")}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function judgePackage(tarball: string): Promise<string[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    strict: true,
  });
  return messages
    .filter(({ type }) => type !== "suggestion")
    .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** Returns a problem if a package does not publish its changelog, which a release writes before it packs. */
function judgeChangelog(path: string, tarball: string): string[] {
  if (!manifestIn(path).files?.includes(CHANGELOG)) return [`expected ${CHANGELOG} in the files of the package`];
  if (!existsSync(join(REPOSITORY, path, CHANGELOG))) return [];
  const { stdout } = spawnSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  return stdout.split("\n").includes(`package/${CHANGELOG}`) ? [] : [`expected ${CHANGELOG} in the tarball`];
}

/** Returns whether an entry of a package has types. */
function hasTypes(path: string): boolean {
  return Object.values(manifestIn(path).exports ?? {}).some(
    (entry) => typeof entry === "object" && entry !== null && "types" in entry,
  );
}

function judgeTypes(path: string, tarball: string): string[] {
  const sheets = Object.keys(manifestIn(path).exports ?? {}).filter((entry) => entry.endsWith(".css"));
  const words = [tarball, "--profile", "esm-only", ...sheets.flatMap((entry) => ["--exclude-entrypoints", entry])];
  const { status, stdout, stderr } = spawnSync(ATTW, words, { encoding: "utf8" });
  return status === 0 ? [] : [stdout + stderr];
}
