import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The suites that no page can run, because their libraries need Node. */
export const NODE_ONLY: ReadonlySet<string> = new Set(["statement/open-bundle"]);

/** Puts next to the page the golden vectors that it can run, and an index of the suites by id. */
export function vectorsPlugin(): Plugin {
  return {
    name: "agentprint-vectors",
    apply: "build",
    async generateBundle() {
      // Other tools read this configuration before anything is built, and only a build needs the vectors.
      const { listSuites, loadSuite, VECTORS_ROOT } = await import("@agentprint/golden-vectors");
      const index: Record<string, string[]> = {};
      for (const name of listSuites()) {
        if (NODE_ONLY.has(name)) continue;
        const source = readFileSync(join(VECTORS_ROOT, `${name}.json`));
        this.emitFile({ type: "asset", fileName: `vectors/${name}.json`, source });
        // The ids of the suite's vectors without their numbers, such as `tr-hash`.
        index[name] = [...new Set(loadSuite(name).cases.map(({ id }) => id.replace(/-\d+$/, "")))];
      }
      this.emitFile({ type: "asset", fileName: "vectors/index.json", source: JSON.stringify(index) });
    },
  };
}
