import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/{findings,launch,lock,redact}/index.ts",
    "src/drift/check-lock-lazily.ts",
    "src/tool/header-annotations.ts",
  ],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
