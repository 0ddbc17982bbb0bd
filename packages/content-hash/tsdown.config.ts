import { packageConfig } from "../../tsdown.config.ts";

const config = packageConfig();

export default {
  ...config,
  // Each module that Node loads takes memory in addition to hashing a file.
  deps: { ...config.deps, alwaysBundle: ["@agentprint/canonical-json/text"] },
};
