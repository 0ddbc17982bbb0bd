import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { SCRIPT } from "./scripts/trail-page.ts";

export default defineConfig({
  // Only `dependencies` are left out of the bundle by themselves; the first two are optional, the third is written below.
  external: ["@agentprint/trail-store", /^@opentelemetry\//, "#trail-page"],
  entry: { main: "src/main.ts", "trail-worker": "src/trail/worker.ts" },
  format: ["esm"],
  target: "node20",
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
  onSuccess: () => writeFile("dist/trail-page.js", `export const SCRIPT = ${JSON.stringify(SCRIPT)};\n`),
});
