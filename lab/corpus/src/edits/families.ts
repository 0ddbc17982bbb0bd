import { SLOW_DRIPS } from "./drips.ts";
import type { Recipe } from "./edit.ts";
import { HINT_FLIPS } from "./hints.ts";
import { CONCEALED_INSTRUCTIONS } from "./instructions.ts";
import { INVISIBLE_TEXT } from "./invisible.ts";
import { SHADOWING_NAMES } from "./names.ts";
import { EXFILTRATION_PARAMETERS } from "./parameters.ts";
import { TEXT_IN_VALUES } from "./values.ts";

/** The 300 edits, grouped by purpose. */
export const FAMILIES: Readonly<Record<string, readonly Recipe[]>> = {
  "concealed instruction": CONCEALED_INSTRUCTIONS,
  "exfiltration parameter": EXFILTRATION_PARAMETERS,
  "flip of a hint": HINT_FLIPS,
  "shadowing name": SHADOWING_NAMES,
  "invisible text": INVISIBLE_TEXT,
  "text in enum, default and the like": TEXT_IN_VALUES,
  "slow drip over three releases": SLOW_DRIPS,
};
