import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: ["src/{index,sha256}.ts", "src/{json-value,lines,text}/index.ts", "src/platform/*.ts"],
});
