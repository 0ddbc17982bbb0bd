import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
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
  dts: { ...base.dts, entry: ["src/index.ts", "src/findings/index.ts"] },
});
