import { writeFile } from "node:fs/promises";
import { packageConfig } from "../../tsdown.config.ts";
import { buildScript } from "./scripts/build-script.ts";
import { PAGE_SCRIPTS } from "./src/page/page-script.ts";

const { entry, ...config } = packageConfig();

export default {
  ...config,
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
