import type { Rule } from "./application.ts";
import { ASSERTIONS } from "./assertions.ts";
import { IN_PLACE } from "./in-place.ts";
import { PARTS } from "./parts.ts";

/** The rule of each keyword that restricts values. */
export const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...ASSERTIONS, ...IN_PLACE, ...PARTS }));
