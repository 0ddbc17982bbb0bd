import { NORMALIZATION_LEVELS } from "@agentprint/content-hash";
import { Option } from "commander";

/** Returns the option that selects the differences that a hash ignores. */
export function levelOption(): Option {
  return new Option("--level <level>", "which differences to ignore").choices(NORMALIZATION_LEVELS);
}
