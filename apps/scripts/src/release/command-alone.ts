import { strict as assert } from "node:assert";
import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { nodeOf } from "./node-of.ts";
import { makeProject } from "./project.ts";

const VERSIONS = ["20.19.0", "22"];
/** The most that an installation may take on a disk with blocks of 4 KiB. */
const MOST_BYTES = 24_000_000;
const BLOCK = 4096;
const MOST_OF_OURS = 2;

function bytesOnDisk(folder: string): number {
  const sizes = globSync("**/*", { cwd: folder }).map((path) => statSync(join(folder, path)).size);
  return sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK) * BLOCK, 0);
}

/**
 * Installs the command as a stranger does, without what is optional, and throws if that is large, warns, or brings
 * packages of this repository.
 */
export function installAlone(folder: string, registry: LocalRegistry, version: string): void {
  for (const wanted of VERSIONS) {
    const project = makeProject(join(folder, wanted), registry);
    const PATH = `${dirname(nodeOf(wanted))}:${process.env["PATH"]}`;
    const words = ["install", "--no-audit", "--no-fund", "--omit=optional", `agentprint@${version}`];
    const { stderr } = project.run("npm", words, { env: { PATH } });
    assert.doesNotMatch(stderr, /warn/i);
    const installed = join(project.folder, "node_modules");
    const ours = globSync("**/@agentprint/*", { cwd: installed });
    assert.ok(ours.length <= MOST_OF_OURS, `Node ${wanted}: expected at most ${MOST_OF_OURS}: ${ours.join(", ")}`);
    const bytes = bytesOnDisk(installed);
    assert.ok(bytes <= MOST_BYTES, `Node ${wanted}: expected at most ${MOST_BYTES} bytes, received ${bytes}`);
    const { stderr: line } = project.run(project.bin("agentprint"), ["vectors", "list"], { code: 2, env: { PATH } });
    assert.match(line, /npx -p @agentprint\/golden-vectors vectors list/);
    console.log(`agentprint alone, Node ${wanted}: ${(bytes / 1e6).toFixed(1)} MB with ${ours.length} of our packages`);
  }
}
