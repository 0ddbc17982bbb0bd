/** The length, in UTF-16 code units, up to which a word, path or hash is never cut. */
export const MAX_WORD_LENGTH = 160;

/**
 * The smallest number of UTF-16 code units that are omitted if there is room, because a note about an omission is about
 * as long.
 */
export const MIN_LEFT_OUT = 24;

/** The maximum length of one finding in the formats for people, in UTF-16 code units, unless they show all of it. */
export const MAX_FINDING_LENGTH = 16_384;

/**
 * The lengths of a finding's values in a brief report, in UTF-16 code units. The first length with which the report
 * fits on {@link MAX_BRIEF_ROWS} is used; if there is none, only short values are shown.
 */
export const BRIEF_LENGTHS: readonly number[] = Object.freeze([MAX_FINDING_LENGTH, 640, 320, 160, 80, 40]);

/** The number of rows on which the brief part of a report should fit. */
export const MAX_BRIEF_ROWS = 60;

/** The number of columns of an unknown terminal. */
export const DEFAULT_COLUMNS = 100;

/** The number of columns that may stay empty in a row when text is indented and broken between words. */
export const MAX_RAGGED = 10;

/**
 * The maximum length of an annotation's text, in UTF-16 code units. GitHub cuts an annotation at 4,096, and the other
 * parts take less than the difference.
 */
export const MAX_ANNOTATION_LENGTH = 3900;

/** How many annotations per level GitHub shows for a step; the log has all of them. */
export const MAX_ANNOTATIONS_SHOWN = 10;

/**
 * The total length, in UTF-16 code units, of the values in a report that are compared word by word; any further values
 * are compared as one string.
 */
export const MAX_COMPARED_LENGTH: number = 2 * 1024 * 1024;

/**
 * The maximum number of words that only one of two texts has; texts with more differences are compared as one string.
 */
export const MAX_EDITS = 1000;

/**
 * The maximum number of steps for all comparisons in a report. Each comparison takes the square of the number of words
 * in which the texts differ.
 */
export const MAX_COMPARED_STEPS = 8_000_000;
