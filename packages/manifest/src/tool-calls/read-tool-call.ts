import { isObject, toPointer } from "@agentprint/canonical-json";
import { attempt } from "../attempt.ts";
import type { CapabilityManifest, ManifestTool } from "../capability-manifest.ts";
import { ManifestError } from "../errors.ts";
import { show } from "../json.ts";
import { DEFAULT_MAX_ARGUMENT_BYTES, DEFAULT_TIMEOUT_MS, MAX_VALUE_DEPTH } from "../limits.ts";
import { checkArguments } from "./check-arguments.ts";
import { copyJson } from "./copy-json.ts";
import { CallIdSchema, type ToolCall, ToolCallSchema } from "./messages.ts";

/** A tool call that a client may show to the consent gate and then run. */
export interface ReceivedToolCall {
  /** A copy of the call, which no getter in the original can change. */
  readonly call: ToolCall;
  /** The manifest's tool that the call names. */
  readonly tool: ManifestTool;
  /** How many milliseconds the tool has to run: its `timeout_ms`, or 10,000. */
  readonly timeoutMs: number;
}

/**
 * On the client's side, checks a call that an agent sent: its form, its tool, and its arguments against the tool's
 * `input_schema`.
 *
 * Arguments are refused only if the schema definitely rejects them. The tool itself must check an asserted `format`,
 * and arguments whose check takes more than two million steps.
 *
 * @param call - the decrypted message, which may come from anyone
 * @param options - `maxArgumentBytes`: the maximum number of canonical bytes in the arguments, a whole number. Default
 * 64 KB
 * @throws {@link ManifestError} `INVALID_TOOL_CALL` when the call does not have the form that the specification
 * requires.
 * @throws {@link ManifestError} `UNKNOWN_TOOL` when the manifest does not declare the tool.
 * @throws {@link ManifestError} `INVALID_ARGUMENTS` when the arguments are too large, too deep or rejected by `input_schema`.
 * @throws {@link ManifestError} `INVALID_OPTION` when the limit is not a whole number.
 *
 * @example
 * ```ts
 * import { readToolCall } from "@agentprint/manifest";
 *
 * const manifest = {
 *   schema_version: "1.0",
 *   agent_version: "1.0.0",
 *   tools: [
 *     {
 *       name: "read_file",
 *       description_i18n_key: "tools.read_file",
 *       input_schema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
 *       permission_scope: "filesystem:read",
 *       timeout_ms: 2000,
 *     },
 *   ],
 *   permission_scopes: [{ id: "filesystem:read", label_i18n_key: "scopes.read", sensitivity: "medium" }],
 *   capability_flags: {},
 * } as const;
 * const sent = { subtype: "tool_call", call_id: "1", tool_name: "read_file", arguments: { path: "a.txt" } };
 * console.log(readToolCall(sent, manifest).timeoutMs); // 2000
 * ```
 */
export function readToolCall(
  call: unknown,
  manifest: CapabilityManifest,
  { maxArgumentBytes = DEFAULT_MAX_ARGUMENT_BYTES }: { readonly maxArgumentBytes?: number | undefined } = {},
): ReceivedToolCall {
  const copy = copyCall(call, requireLimit("maxArgumentBytes", maxArgumentBytes));
  const tool = manifest.tools.find(({ name }) => name === copy.tool_name);
  if (!tool) throw new ManifestError("UNKNOWN_TOOL", "/tool_name", "Expected a tool of the manifest");
  checkArguments(tool, copy.arguments);
  return { call: copy, tool, timeoutMs: tool.timeout_ms ?? DEFAULT_TIMEOUT_MS };
}

/**
 * Copies a call, reading each member once, and checks the copy, so that a getter cannot return another value after the
 * check.
 */
export function copyCall(call: unknown, maxBytes: number): ToolCall {
  const plain = attempt(() => (isObject(call) ? { ...call } : call));
  const given = isObject(plain) ? plain["arguments"] : undefined;
  const values = copyJson(given, maxBytes);
  const isTooMuch = values === undefined && typeof given === "object";
  const result = ToolCallSchema.safeParse(isObject(plain) ? { ...plain, arguments: isTooMuch ? {} : values } : plain);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = toPointer((issue?.path ?? []).map(String));
    throw new ManifestError("INVALID_TOOL_CALL", path, issue?.message ?? "");
  }
  if (!isTooMuch) return { ...result.data, arguments: values as ToolCall["arguments"] };
  const message = `Expected JSON of at most ${maxBytes} bytes and ${MAX_VALUE_DEPTH} levels`;
  throw new ManifestError("INVALID_ARGUMENTS", "/arguments", message);
}

/** @throws {@link ManifestError} `INVALID_TOOL_CALL` when a value cannot be a call's id. */
export function readCallId(value: unknown): string {
  const { data, error } = CallIdSchema.safeParse(value);
  if (data !== undefined) return data;
  throw new ManifestError("INVALID_TOOL_CALL", "/call_id", error?.issues[0]?.message ?? "");
}

/**
 * Returns a limit if it is a whole number.
 *
 * @throws {@link ManifestError} `INVALID_OPTION` for any other value.
 */
export function requireLimit(name: string, limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new ManifestError("INVALID_OPTION", toPointer([name]), `Expected a whole number, received ${show(limit)}`);
}
