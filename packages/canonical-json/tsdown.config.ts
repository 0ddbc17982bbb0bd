import type { UserConfig } from "tsdown";
import { packageConfig } from "../../tsdown.config.ts";

const config = packageConfig();

export default {
  ...config,
  outputOptions: {
    ...config.outputOptions,
    // Everything that entries share goes into one file, because each file takes time to load. Declarations stay in
    // separate files.
    codeSplitting: { groups: [{ name: "shared", test: /(?<!\.d)\.ts$/, minShareCount: 2 }] },
  },
} satisfies UserConfig;
