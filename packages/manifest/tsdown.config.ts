import { packageConfig } from "../../tsdown.config.ts";

// Each of these becomes its own file, so that a bundler that needs only `diffManifests` or `hashManifest` can omit the
// files that create zod schemas when they are loaded.
export default packageConfig([
  "consent/consent-state",
  "diff/diff-manifests",
  "hash-manifest",
  "parse/parse-manifest",
  "tool-calls/messages",
]);
