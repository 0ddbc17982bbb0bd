import { packageConfig } from "../../tsdown.config.ts";

const config = packageConfig();

export default {
  ...config,
  // Each module that Node loads takes additional memory while a file is hashed.
  deps: { ...config.deps, alwaysBundle: ["@agentprint/canonical-json/text"] },
};
