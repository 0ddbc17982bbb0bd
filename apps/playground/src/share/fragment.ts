import { CanonicalJsonError, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { STATES, type ToolName } from "./tools.ts";

/** A tool with the contents of its fields. */
export interface Shared {
  readonly tool: ToolName;
  readonly state: Readonly<Record<string, string>>;
}

/** The longest fragment that the page writes or reads, in characters. */
export const MAX_FRAGMENT: number = 32 * 1024;
/** The longest saved state that the page reads, in bytes of UTF-8. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

const FORM = /^#([a-z]+)(?:=([A-Za-z0-9_-]+))?$/;
/** A link to a golden vector: its suite and its id in readable form. */
const VECTOR = /^#vector=([a-z0-9-]+(?:\/[A-Za-z0-9-]+)+)$/;
/** Typed text may contain lone surrogates, which are kept; the tools report how they handle them. */
const LONE_SURROGATES = { maxDepth: 2, tolerate: (): boolean => true } as const;

/** The error for a link or a saved state that cannot be read. */
class ShareError extends Error {
  override readonly name = "ShareError";
  readonly code: "malformed-state" | "too-long";

  constructor(code: ShareError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns the fragment of a link to a tool with its fields: `#<tool>=<Base64url of JSON>`, or `#<tool>` if all are
 * empty.
 *
 * @returns `undefined` if the fragment would have more than {@link MAX_FRAGMENT} characters: {@link formatState} then
 * makes a file
 */
export function formatFragment({ tool, state }: Shared): string | undefined {
  const given = Object.entries(state).filter(([, value]) => value !== "");
  if (given.length === 0) return `#${tool}`;
  const fragment = `#${tool}=${toBase64Url(new TextEncoder().encode(JSON.stringify(Object.fromEntries(given))))}`;
  return fragment.length > MAX_FRAGMENT ? undefined : fragment;
}

/**
 * Reads the fragment of an address: the output of {@link formatFragment}, or `#vector=<suite>/<id>`; `undefined` if
 * there is none.
 *
 * @throws {ShareError} too-long when the fragment exceeds the page's limit, malformed-state when it has another form,
 * names no tool, or has a field that the tool lacks
 */
export function parseFragment(fragment: string): Shared | undefined {
  if (fragment === "" || fragment === "#") return undefined;
  if (fragment.length > MAX_FRAGMENT) {
    throw new ShareError("too-long", `expected at most ${MAX_FRAGMENT} characters, received ${fragment.length}`);
  }
  const [, vector] = VECTOR.exec(fragment) ?? [];
  if (vector !== undefined) return { tool: "vector", state: { id: vector } };
  const [, name = "", encoded] = FORM.exec(fragment) ?? [];
  return toShared(name, encoded === undefined ? {} : readJson(fromBase64Url(encoded), MAX_FRAGMENT));
}

/** Returns a state as the text of a file, for a state that is too long for a link. */
export function formatState({ tool, state }: Shared): string {
  return `${JSON.stringify({ tool, state })}\n`;
}

/**
 * Reads a saved state.
 *
 * @throws {ShareError} malformed-state when the file is not a saved state
 */
export function parseState(bytes: Uint8Array): Shared {
  const value = readJson(bytes, MAX_FILE_BYTES);
  const { tool, state, ...rest } = Object(value) as { tool?: unknown; state?: JsonValue };
  if (typeof tool !== "string" || state === undefined || Object.keys(rest).length > 0) {
    throw new ShareError("malformed-state", "expected an object with the members tool and state");
  }
  return toShared(tool, state);
}

function toShared(name: string, value: JsonValue): Shared {
  if (!Object.hasOwn(STATES, name)) {
    throw new ShareError("malformed-state", `expected the name of a tool, received ${JSON.stringify(name)}`);
  }
  const tool = name as ToolName;
  const { success, data, error } = STATES[tool].safeParse(value);
  if (success) return { tool, state: data };
  const names = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : issue.path.map(String),
  );
  const expected = `expected the fields ${Object.keys(STATES[tool].shape).join(", ")} of ${tool}`;
  throw new ShareError(
    "malformed-state",
    `${expected}, received ${names.join(", ") || "no object"} malformed or unknown`,
  );
}

function readJson(bytes: Uint8Array, maxBytes: number): JsonValue {
  try {
    return parseJson(bytes, { ...LONE_SURROGATES, maxBytes });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new ShareError("malformed-state", error.message, { cause: error });
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) => unit.charCodeAt(0));
  } catch (error) {
    throw new ShareError("malformed-state", "expected Base64url", { cause: error });
  }
}
