import "@agentprint/tool-pins"; // the gate compares a row if a build that this process loads has changed
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Suite } from "./measure.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.resolve("@agentprint/tool-pins")));
const PROGRAM = "program.mjs";

let folder: string | undefined;

/**
 * Makes and returns a folder with a program that imports the package, which is linked there as pnpm would install it.
 */
function openFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), "agentprint-bench-"));
  mkdirSync(join(folder, "node_modules/@agentprint"), { recursive: true });
  symlinkSync(PACKAGE, join(folder, "node_modules/@agentprint/tool-pins"), "junction");
  writeFileSync(join(folder, PROGRAM), 'import "@agentprint/tool-pins";\n');
  return folder;
}

function runNode(cwd: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")}: exit code ${status}\n${stderr}`);
}

export const importPinsSuite: Suite = {
  title: "A program that imports tool-pins (node --eval 0 = 1)",
  comparisons: () => [
    () => {
      const made = openFolder();
      return {
        name: "import of tool-pins",
        reference: "bare Node",
        ours: "agentprint",
        bar: 1 / 1.5,
        contenders: {
          agentprint: () => runNode(made, [PROGRAM]),
          "bare Node": () => runNode(made, ["--eval", "0"]),
        },
      };
    },
  ],
  close: async () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  },
};
