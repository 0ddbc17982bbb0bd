import type { UserConfig } from "tsdown";
import { packageConfig } from "../../tsdown.config.ts";

const config = packageConfig();

export default {
  ...config,
  outputOptions: {
    ...config.outputOptions,
    // One file for everything that entries share, because each file takes time to load; declarations keep separate
    // files.
    codeSplitting: { groups: [{ name: "shared", test: /(?<!\.d)\.ts$/, minShareCount: 2 }] },
  },
} satisfies UserConfig;
