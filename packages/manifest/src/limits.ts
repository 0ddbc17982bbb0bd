/**
 * The maximum number of bytes in a manifest's canonical JSON: 128 KB. A larger manifest is `MANIFEST_TOO_LARGE` (413).
 */
export const MANIFEST_MAX_BYTES = 131_072;

/** A manifest of this many canonical bytes or more is accepted with the warning `MANIFEST_LARGE`: 64 KB. */
export const MANIFEST_WARN_BYTES = 65_536;

/**
 * The maximum number of bytes of raw text that is parsed; white space can make the text longer than its canonical JSON.
 */
export const MAX_RAW_BYTES: number = 4 * MANIFEST_MAX_BYTES;

/** The maximum number of levels of arrays and objects in a manifest, because JSON Schema validators recurse. */
export const MAX_DEPTH = 256;

/** The maximum number of issues listed for a manifest, and of warnings. */
export const MAX_LISTED = 10_000;

/**
 * The maximum total of UTF-16 units in a list's pointers, because a long name is part of the pointer of every value
 * below it.
 */
export const MAX_POINTER_UNITS: number = 1024 * 1024;

/** How many UTF-16 units of an untrusted name or text a message shows; `…` stands for the rest. */
export const MAX_SHOWN_UNITS = 80;

/** The maximum number of steps for comparing all changed schemas in one diff: about two seconds. */
export const MAX_JUDGE_STEPS = 4_000_000;

/** The maximum number of steps for checking all of a call's arguments: about a second. */
export const MAX_CALL_STEPS = 2_000_000;

/**
 * The time limit of a tool without `timeout_ms`, in milliseconds: 10 seconds. A manifest's hash does not include this
 * default.
 */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** How long a user's consent to a scope of medium sensitivity lasts after its last use: 24 hours. */
export const CONSENT_WINDOW_MS = 86_400_000;

/** How long a prompt for a scope of high sensitivity waits: 30 seconds. */
export const PROMPT_TIMEOUT_MS = 30_000;

/**
 * The maximum number of a consent gate's waiting prompts, because a prompt for low or medium sensitivity has no time
 * limit.
 */
export const MAX_PROMPTS = 1000;

/** The maximum number of waiting tool calls, unless the caller sets another limit. */
export const DEFAULT_MAX_CALLS = 1000;

/** The maximum number of canonical bytes in a call's arguments, unless the caller sets another limit: 64 KB. */
export const DEFAULT_MAX_ARGUMENT_BYTES = 65_536;

/** The maximum number of canonical bytes in a response, unless the caller sets another limit: 1 MB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 1_048_576;

/** The maximum number of levels of arrays and objects in arguments and responses. */
export const MAX_VALUE_DEPTH = 200;

/**
 * The maximum number of bytes in the JSON text of arguments or of a response, even if the caller sets a larger limit:
 * 64 MB.
 */
export const MAX_VALUE_TEXT_BYTES: number = 64 * 1024 * 1024;

/**
 * The maximum number of ended calls whose ids are remembered, to distinguish a second response to a call from a
 * response to an unknown call.
 */
export const MAX_REMEMBERED_CALLS = 1000;

/** The longest delay that `setTimeout` supports, in milliseconds. It treats a longer delay as none at all. */
export const MAX_WAIT_MS = 2_147_483_647;
