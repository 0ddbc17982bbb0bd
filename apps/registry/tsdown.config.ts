import { writeFile } from "node:fs/promises";
import { packageConfig } from "../../tsdown.config.ts";
import { buildScript } from "./scripts/build-script.ts";

const { entry, ...config } = packageConfig();

export default {
  ...config,
  entry: {
    ...(entry as object),
    "judge-worker": "src/diff/judge-worker.ts",
    "trail-worker": "src/trail/trail-worker.ts",
  },
  target: "node22",
  onSuccess: async () => writeFile("dist/verify-history.js", await buildScript()),
};
