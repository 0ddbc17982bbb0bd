import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";
import { SCRIPT } from "./scripts/page-script.ts";

export default defineConfig({
  ...base,
  entry: ["src/index.ts", "src/page/index.ts"],
  onSuccess: () => writeFile("dist/page-script.js", `export const SCRIPT = ${JSON.stringify(SCRIPT)};\n`),
});
