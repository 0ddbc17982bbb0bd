import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/decode-name.ts", "src/http/index.ts", "src/recording.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
