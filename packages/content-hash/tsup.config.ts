import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  entry: ["src/index.ts", "src/findings/index.ts", "src/node/index.ts", "src/bytes/node.ts", "src/bytes/portable.ts"],
  external: ["#bytes"],
  // Each module that Node loads takes memory beside the hashing of a file.
  noExternal: ["@agentprint/canonical-json/text"],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
