import type { PlannedFile } from "../files/planned-file.ts";

/** The configuration that `init` writes: the changes that may pass without a review. */
export const CONFIG_FILE: PlannedFile = {
  path: "agentprint.config.json",
  text: `${JSON.stringify(
    { $schema: "./node_modules/agentprint/schema/agentprint.config.schema.json", preset: "compatible" },
    null,
    2,
  )}\n`,
};
