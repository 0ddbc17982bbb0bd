import { strict as assert } from "node:assert";
import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { nodeOf } from "./node-of.ts";
import { makeProject } from "./project.ts";

const VERSIONS = ["20.19.0", "22"];
/** The most bytes that an installation may take on a disk with blocks of 4 KiB. */
const MOST_BYTES = 9_000_000;
const BLOCK = 4096;

function bytesOnDisk(folder: string): number {
  const sizes = globSync("**/*", { cwd: folder }).map((path) => statSync(join(folder, path)).size);
  return sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK) * BLOCK, 0);
}

/** Commands that need an optional package, and the command that installs it. */
const NEED_MORE: readonly (readonly [words: readonly string[], install: RegExp])[] = [
  [["login", "https://mcp.example.com/mcp"], /npm install @napi-rs\/keyring@2/],
  [
    ["evidence", "verify", "--sigstore", "package.json", "package.json"],
    /npm install @sigstore\/bundle@5 .*@sigstore\/verify@4/,
  ],
];

/**
 * Installs the command as a stranger would. Throws if the installation warns, adds any other package or more than a few
 * megabytes, or if a command that needs an optional package does not print the line that installs it.
 */
export function installAlone(folder: string, registry: LocalRegistry, version: string): void {
  for (const wanted of VERSIONS) {
    const project = makeProject(join(folder, wanted), registry);
    const PATH = `${dirname(nodeOf(wanted))}:${process.env["PATH"]}`;
    const words = ["install", "--no-audit", "--no-fund", `agentprint@${version}`];
    const { stdout, stderr } = project.run("npm", words, { env: { PATH } });
    assert.doesNotMatch(stderr, /warn/i);
    assert.match(stdout, /added 1 package /);
    const installed = join(project.folder, "node_modules");
    const packages = globSync(["*/package.json", "@*/*/package.json", "**/node_modules/*"], { cwd: installed });
    assert.deepEqual(packages, [join("agentprint", "package.json")], `Node ${wanted}: expected one package`);
    const bytes = bytesOnDisk(installed);
    assert.ok(bytes <= MOST_BYTES, `Node ${wanted}: expected at most ${MOST_BYTES} bytes, received ${bytes}`);
    const refused = (command: readonly string[]): string =>
      project.run(project.bin("agentprint"), command, { code: 2, env: { PATH, COLUMNS: "1000" } }).stderr;
    assert.match(refused(["vectors", "list"]), /npx -p @agentprint\/golden-vectors vectors list/);
    for (const [command, install] of NEED_MORE) assert.match(refused(command), install);
    console.log(`agentprint alone, Node ${wanted}: ${(bytes / 1e6).toFixed(1)} MB in one package`);
  }
}
