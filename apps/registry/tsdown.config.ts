import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";
import { buildScript } from "./scripts/build-script.ts";
import { PAGE_SCRIPTS } from "./src/page/page-script.ts";

export default defineConfig({
  ...base,
  entry: {
    client: "src/client.ts",
    main: "src/main.ts",
    "judge-worker": "src/diff/judge-worker.ts",
    "trail-worker": "src/trail/trail-worker.ts",
  },
  dts: { ...base.dts, entry: "src/client.ts" },
  target: "node22",
  onSuccess: async () => {
    for (const name of PAGE_SCRIPTS) await writeFile(`dist/${name}.js`, await buildScript(name));
  },
});
