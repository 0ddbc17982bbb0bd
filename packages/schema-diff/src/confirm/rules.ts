import type { Rule } from "./application.ts";
import { IN_PLACE } from "./in-place-rules.ts";
import { PARTS } from "./part-rules.ts";
import { ASSERTIONS } from "./value-rules.ts";

/** The rule of each keyword that restricts values. */
export const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...ASSERTIONS, ...IN_PLACE, ...PARTS }));
