import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: ["src/index.ts", "src/{findings,lock}/index.ts", "src/drift/check-lock-lazily.ts", "src/foreign/mcp-pin.ts"],
});
