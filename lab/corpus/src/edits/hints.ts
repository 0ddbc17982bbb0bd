import { isJsonObject } from "../../../../packages/canonical-json/src/index.ts";
import { type Draft, type Recipe, toolRecipe } from "./edit.ts";
import { removeAt, setAt } from "./schemas.ts";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
const DEFAULTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;
const AT = ["annotations"];

type Hint = (typeof HINTS)[number];

/** Returns a recipe that changes the value of a hint. */
const set = (hint: Hint, value: Draft[string], count: number): Recipe =>
  toolRecipe(`${hint} becomes ${JSON.stringify(value)}`, "hints", count, ({ tool }) => {
    const annotations = isJsonObject(tool["annotations"]) ? tool["annotations"] : {};
    const isDefault = annotations[hint] === undefined && value === DEFAULTS[hint];
    return annotations[hint] === value || isDefault ? undefined : (draft) => setAt(draft, AT, hint, value);
  });

const dropped = (hint: Hint): Recipe =>
  toolRecipe(`${hint} is dropped`, "hints", 2, ({ tool }) =>
    isJsonObject(tool["annotations"]) && hint in tool["annotations"] ? (draft) => removeAt(draft, AT, hint) : undefined,
  );

/** Hints that clients use to decide whether to ask before a call. */
export const HINT_FLIPS: readonly Recipe[] = [
  ...HINTS.flatMap((hint) => [set(hint, true, 2), set(hint, false, 2), dropped(hint)]),
  set("readOnlyHint", "true", 2),
  set("destructiveHint", "false", 2),
  set("readOnlyHint", 1, 1),
  set("destructiveHint", null, 2),
  set("openWorldHint", {}, 1),
  toolRecipe("a default is written", "hints", 4, ({ tool, random }) => {
    const hint = random.pick(HINTS);
    const annotations = isJsonObject(tool["annotations"]) ? tool["annotations"] : {};
    return hint in annotations ? undefined : (draft) => setAt(draft, AT, hint, DEFAULTS[hint]);
  }),
  toolRecipe("all hints are dropped", "hints", 3, ({ tool }) =>
    isJsonObject(tool["annotations"]) ? (draft) => removeAt(draft, [], "annotations") : undefined,
  ),
  toolRecipe("the hints become a list", "hints", 1, () => (draft) => setAt(draft, [], "annotations", ["readOnlyHint"])),
  toolRecipe("a hint that nobody defined", "hints", 2, () => (draft) => setAt(draft, AT, "trustedHint", true)),
];
