import { writeFile } from "node:fs/promises";
import { packageConfig } from "../../tsdown.config.ts";
import { SCRIPT } from "./scripts/page-script.ts";

export default {
  ...packageConfig(),
  onSuccess: () => writeFile("dist/page-script.js", `export const SCRIPT = ${JSON.stringify(SCRIPT)};\n`),
};
