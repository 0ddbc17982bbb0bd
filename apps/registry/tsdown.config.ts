import { writeFile } from "node:fs/promises";
import { packageConfig } from "../../tsdown.config.ts";
import { buildScript } from "./scripts/build-script.ts";
import { PAGE_SCRIPTS } from "./src/page/page-script.ts";

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
  onSuccess: async () => {
    for (const name of PAGE_SCRIPTS) await writeFile(`dist/${name}.js`, await buildScript(name));
  },
};
