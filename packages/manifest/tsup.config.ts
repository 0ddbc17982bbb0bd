import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  // `index` and `findings` are exported. Each other entry becomes a file of its own, so that a bundler that needs `diffManifests` or
  // `hashManifest` alone leaves out the files that make zod schemas when they are loaded.
  entry: [
    "src/index.ts",
    "src/consent/consent-state.ts",
    "src/diff/diff-manifests.ts",
    "src/findings/index.ts",
    "src/hash-manifest.ts",
    "src/parse/parse-manifest.ts",
    "src/tool-calls/messages.ts",
  ],
  format: ["esm"],
  dts: { ...dts, entry: ["src/index.ts", "src/findings/index.ts"] },
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
