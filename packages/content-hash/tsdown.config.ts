import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: ["src/index.ts", "src/findings/index.ts", "src/node/index.ts", "src/bytes/node.ts", "src/bytes/portable.ts"],
  deps: {
    neverBundle: ["#bytes"],
    // Each module that Node loads takes memory beside the hashing of a file.
    alwaysBundle: ["@agentprint/canonical-json/text"],
  },
});
