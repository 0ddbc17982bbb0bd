import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: { main: "src/main.ts" },
  dts: false,
  target: "node22",
});
