import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, transformWithOxc } from "vite";

const SOURCE = fileURLToPath(new URL("../src/offline/service-worker.ts", import.meta.url));

/** The files of the page and its first tool; other tools are cached when they are opened. */
const SHELL = /^index\.html$|^assets\/(?:index|worker|canonical)/;

/** Writes the service worker with the names of all files, and a version that changes when any of them does. */
export function offlinePlugin(): Plugin {
  return {
    name: "agentprint-offline",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const digest = createHash("sha256");
      const files = Object.keys(bundle).sort();
      for (const name of files) {
        const output = bundle[name];
        digest.update(`${name}\n`).update(output?.type === "chunk" ? output.code : (output?.source ?? ""));
      }
      const { code } = await transformWithOxc(readFileSync(SOURCE, "utf8"), SOURCE);
      const constants = {
        VERSION: digest.digest("hex").slice(0, 16),
        SHELL: files.filter((name) => SHELL.test(name)),
        FILES: files,
      };
      const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: `${lines.join("")}${code}` });
    },
  };
}
