/** A word, path or hash up to this length is never cut, in UTF-16 code units. */
export const MAX_WORD_LENGTH = 160;

/** The fewest UTF-16 code units that are omitted if there is room: the note about an omission is about as long. */
export const MIN_LEFT_OUT = 24;

/** Length of one finding in the formats for people, unless they show all of it, in UTF-16 code units. */
export const MAX_FINDING_LENGTH = 16_384;

/**
 * Lengths of the values of one finding in a brief report, in UTF-16 code units: the first with which the report fits on
 * {@link MAX_BRIEF_ROWS} is taken. If none does, only short values are shown.
 */
export const BRIEF_LENGTHS: readonly number[] = Object.freeze([MAX_FINDING_LENGTH, 640, 320, 160, 80, 40]);

/** Rows that the brief part of a report should fit on. */
export const MAX_BRIEF_ROWS = 60;

/** Columns of an unknown terminal. */
export const DEFAULT_COLUMNS = 100;

/** Empty columns of a row when a text is indented and broken between words. */
export const MAX_RAGGED = 10;

/** Length of an annotation, in UTF-16 code units: GitHub cuts it at 4,096, and the rest of it takes less than the difference. */
export const MAX_ANNOTATION_LENGTH = 3900;

/** Annotations of one level that GitHub shows for a step; the log has all of them. */
export const MAX_ANNOTATIONS_SHOWN = 10;

/**
 * Length of the values of a report that are compared word by word, in UTF-16 code units; longer values are compared as
 * one string.
 */
export const MAX_COMPARED_LENGTH: number = 2 * 1024 * 1024;

/** Words that only one of two texts has; texts with more differences are compared as one string. */
export const MAX_EDITS = 1000;

/** Steps of all comparisons of a report, each the square of the words in which two texts differ. */
export const MAX_COMPARED_STEPS = 8_000_000;
