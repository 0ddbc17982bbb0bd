import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/client-table.ts", "src/errors.ts", "src/server-json/index.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
