import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";
import { SCRIPT } from "./scripts/page-script.ts";

export default defineConfig({
  entry: ["src/index.ts", "src/page/index.ts"],
  external: ["#page-script"], // written below
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
  onSuccess: () => writeFile("dist/page-script.js", `export const SCRIPT = ${JSON.stringify(SCRIPT)};\n`),
});
