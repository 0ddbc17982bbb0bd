import { writeFile } from "node:fs/promises";
import { packageConfig } from "../../tsdown.config.ts";
import { buildScript } from "./scripts/build-script.ts";

const { entry, deps, ...config } = packageConfig();

export default {
  ...config,
  // Packages that are not published become part of the registry.
  deps: { ...deps, onlyBundle: ["@agentprint/http-bounds", "@agentprint/page-style", "@agentprint/report"] },
  entry: {
    ...(entry as object),
    "judge-worker": "src/diff/judge-worker.ts",
    "trail-worker": "src/trail/trail-worker.ts",
  },
  target: "node22",
  onSuccess: async () => writeFile("dist/verify-history.js", await buildScript()),
};
