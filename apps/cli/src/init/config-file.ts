import type { PlannedFile } from "../files/planned-file.ts";

/** The configuration that `init` writes; its preset lets compatible changes pass without a review. */
export const CONFIG_FILE: PlannedFile = {
  path: "agentprint.config.json",
  text: `${JSON.stringify(
    { $schema: "./node_modules/agentprint/schema/agentprint.config.schema.json", preset: "compatible" },
    null,
    2,
  )}\n`,
};
