/*
 * The limits of this package. A schema or value beyond a limit is refused with an error, or its verdict is `unknown`. No
 * limit makes a verdict wrong.
 */

/** Levels of arrays and objects in a schema or value; real ones have far fewer, and the call stack holds far more. */
export const MAX_JSON_DEPTH = 256;
/** UTF-16 code units in the canonical text of a schema or value. */
export const MAX_JSON_UNITS: number = 1 << 20;
/** Schemas that lead to one another and apply to the same value, such as `allOf` in `anyOf` in `$ref` … */
export const MAX_IN_PLACE_CHAIN = 300;
/** UTF-16 code units in a pattern; a longer pattern is opaque. */
export const MAX_PATTERN_UNITS = 2000;
/** States in a pattern's automaton; a pattern that needs more is opaque. */
export const MAX_AUTOMATON_STATES = 3000;
/** Nested schemas that are compared for equality; a deeper schema is equal only to itself. */
export const MAX_CLASS_DEPTH = 400;
/**
 * UTF-16 code units in the keys of recursive schemas; if more are needed, each recursive schema is equal only to
 * itself.
 */
export const MAX_CLASS_KEY_UNITS = 10_000_000;

/** Nested schemas that the evaluator applies; whether a value fulfils a deeper schema is unknown. */
export const MAX_EVALUATION_DEPTH = 500;

/** Nested searches; an inner search is for a part of the outer search's value. */
export const MAX_NESTED_SEARCHES = 150;
/** Nested decisions about disjunctions, in all nested searches together; the call stack holds far more. */
export const MAX_NESTED_DECISIONS = 400;
/** Values that a solver builds before it gives up. */
export const MAX_BUILD_ATTEMPTS = 60;
/** Constant arrays and objects from which a value must differ and with which it is compared part by part. */
export const MAX_EXCLUDED_SHAPES = 64;
/** Positions of a tuple that are examined one by one. */
export const MAX_TUPLE_POSITIONS = 64;
/** Elements of an array in a counterexample. */
export const MAX_ARRAY_ELEMENTS = 1000;
/** Members of an object in a counterexample, in addition to required ones. */
export const MAX_FURTHER_MEMBERS = 1000;
/** Patterns for names that are combined; real schemas have fewer, and each doubles the number of combinations. */
export const MAX_NAME_PATTERNS = 6;
/** Names `extra`, `extra2` … that are tried before a name is searched for. */
export const MAX_EXTRA_NAMES = 4;
/** Multiples in an interval that are tried one by one. */
export const MAX_LISTED_MULTIPLES = 1000;
/** Code points of a string in a counterexample. */
export const MAX_STRING_CODE_POINTS = 10_000;

/** Changes that a comparison lists. The verdict does not depend on them. */
export const MAX_CHANGES = 1000;
/** The depth of nested schemas for which changes are listed; deeper differences are joined into one change. */
export const MAX_CHANGE_DEPTH = 130;
/** Pairs of schemas that are searched for changes; a large pair counts as several. */
export const MAX_COMPARED_PAIRS = 100_000;
/** Characters of a value that a message shows. */
export const MAX_SHOWN_CHARACTERS = 80;
/** Places that a rejection lists. */
export const MAX_REJECTED_PLACES = 100;
/** The depth of nested schemas to which a rejection is traced; for a deeper one, the place at this depth is listed. */
export const MAX_REJECTION_DEPTH = 500;

/** Nested schemas that are applied to confirm a value; a value that needs more is not confirmed. */
export const MAX_APPLICATION_DEPTH = 1000;

/** Steps of the search for a verdict, and of judging one value, unless the caller sets another limit. */
export const MAX_VERDICT_STEPS = 2_000_000;
/** Steps of a comparison for all its work except the search. */
export const MAX_OTHER_STEPS = 1_500_000;
/** Steps of compiling one schema. */
export const MAX_COMPILE_STEPS = 1_000_000;
/** Steps of finding equal schemas. */
export const MAX_CLASS_STEPS = 1_000_000;
/** Steps of writing the constants of both schemas part by part; beyond them, each constant is compared as one value. */
export const MAX_SHAPE_STEPS = 50_000;
/** Steps of confirming a value with one schema. */
export const MAX_CONFIRM_STEPS = 1_000_000;
/** Steps of finding the places of a rejection; few, because the verdict is already known. */
export const MAX_REJECTION_STEPS = 100_000;
/** Steps of searching for a nonempty string when the empty string is a solution, too. */
export const MAX_VISIBLE_STRING_STEPS = 10_000;

/** Edits that are searched for the causes of a break; each is judged at least once. */
export const MAX_BLAMED_EDITS = 256;
