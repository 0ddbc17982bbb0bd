import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/formats.ts", "src/hunks.ts", "src/runner-commands.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
