/** Most bytes that the canonical JSON of a manifest may take: 128 KB. More is `MANIFEST_TOO_LARGE` (413). */
export const MANIFEST_MAX_BYTES = 131_072;

/** From this many canonical bytes on, a manifest is accepted with the warning `MANIFEST_LARGE`: 64 KB. */
export const MANIFEST_WARN_BYTES = 65_536;

/** Most bytes of raw text that are parsed at all. */
export const MAX_RAW_BYTES: number = 4 * MANIFEST_MAX_BYTES;

/** Most levels of arrays and objects in a manifest; validators of JSON Schema recurse. */
export const MAX_DEPTH = 256;

/** What an absent `timeout_ms` means, in milliseconds: 10 seconds. It is not written into the hash. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Most issues of a manifest that are listed, and most warnings. */
export const MAX_LISTED = 10_000;

/** Most UTF-16 units that the pointers of a list take together: a long name stands in the pointer of all that is below it. */
export const MAX_POINTER_UNITS: number = 1024 * 1024;

/** Steps that all changed schemas of one diff share when they are judged: about two seconds. */
export const MAX_JUDGE_STEPS = 4_000_000;

/** UTF-16 units of a name or a text of unknown origin that a message shows; the rest becomes `…`. */
export const MAX_SHOWN_UNITS = 80;
