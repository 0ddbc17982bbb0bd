import type { CapabilityManifest, ManifestTool } from "../capability-manifest.ts";
import { checkArgument } from "../check-argument.ts";
import { ManifestError } from "../errors.ts";
import { show } from "../json.ts";
import {
  DEFAULT_MAX_ARGUMENT_BYTES,
  DEFAULT_MAX_CALLS,
  DEFAULT_MAX_RESPONSE_BYTES,
  DEFAULT_TIMEOUT_MS,
  MAX_REMEMBERED_CALLS,
  MAX_WAIT_MS,
  PROMPT_TIMEOUT_MS,
} from "../limits.ts";
import { sensitivityInEffect } from "../sensitivity.ts";
import type { ToolCall } from "./messages.ts";
import { type ResponseOutcome, readResponse } from "./read-response.ts";
import { copyCall, readToolCall, requireLimit } from "./read-tool-call.ts";

/** How a call ended. */
export type ToolCallOutcome = ResponseOutcome | { readonly status: "timeout" } | { readonly status: "cancelled" };

/** The outcome of a response passed to {@link PendingToolCalls.receive}. */
export type Receipt = "settled" | "duplicate" | "unknown" | "invalid";

/** The options for {@link createPendingToolCalls}. */
export interface PendingToolCallsOptions {
  /**
   * Runs a function once, after `ms` milliseconds, which are at most 2,147,483,647, and returns a function that cancels
   * the run.
   */
  readonly schedule: (run: () => void, ms: number) => () => void;
  /**
   * If given, a call must name a tool in this manifest, and the tool's `input_schema` must not reject the arguments.
   */
  readonly manifest?: CapabilityManifest;
  /** The maximum number of waiting calls, a whole number. Default 1000. */
  readonly maxCalls?: number | undefined;
  /** The maximum number of canonical bytes in a call's arguments, a whole number. Default 64 KB. */
  readonly maxArgumentBytes?: number | undefined;
  /** The maximum number of canonical bytes in a response, a whole number. Default 1 MB. */
  readonly maxResponseBytes?: number | undefined;
}

/** An agent's calls that wait for their response. */
export interface PendingToolCalls {
  /** How many calls wait. */
  readonly size: number;
  /**
   * Checks a call and waits for its response; the promise never rejects.
   *
   * @param options.timeoutMs - zero or more milliseconds, or `Infinity` for no time limit. The default depends on the
   * sensitivity of the tool's scope: for low, the tool's `timeout_ms` or 10,000; for high, the same plus the 30 seconds
   * that the user has to answer; for medium, no time limit, because the user has none. Without a manifest it is 40
   * seconds.
   * @throws {@link ManifestError} `INVALID_TOOL_CALL` when the call does not have the form that the specification
   * requires.
   * @throws {@link ManifestError} `UNKNOWN_TOOL` when the manifest does not declare the tool.
   * @throws {@link ManifestError} `INVALID_ARGUMENTS` when the arguments are too large, too deep or rejected by `input_schema`.
   * @throws {@link ManifestError} `DUPLICATE_CALL_ID`, `TOO_MANY_CALLS` when a call with that id is already waiting, or
   * when too many calls wait.
   * @throws {@link ManifestError} `INVALID_OPTION` when `timeoutMs` is not a number of at least zero.
   */
  call(call: ToolCall, options?: { readonly timeoutMs?: number | undefined }): Promise<ToolCallOutcome>;
  /**
   * Takes a response that a client sent and never throws. Members that the specification does not name are ignored. An
   * `ok` response ends its call as `ok` even if the result cannot be read. An `invalid` response with the id of a
   * waiting call ends that call as an error with the reason `invalid_response`, because the client might send no other
   * response.
   */
  receive(response: unknown): Receipt;
  /** Ends a waiting call as `cancelled`; returns `false` if no call with that id waits. */
  cancel(callId: string): boolean;
  /** Ends every waiting call as `cancelled`. */
  cancelAll(): void;
}

/**
 * Matches tool calls with their responses by `call_id`, and handles time limits, cancellation, and duplicate, unknown
 * and invalid responses.
 *
 * The caller passes in the timer, so that the code runs on any platform and tests do not have to wait.
 *
 * @throws {@link ManifestError} `INVALID_OPTION` when a limit is not a whole number.
 *
 * @example
 * ```ts
 * import { createPendingToolCalls } from "@agentprint/manifest";
 *
 * const calls = createPendingToolCalls({
 *   schedule: (run, ms) => {
 *     const timer = setTimeout(run, ms);
 *     return () => clearTimeout(timer);
 *   },
 * });
 * const outcome = calls.call({ subtype: "tool_call", call_id: "1", tool_name: "read_file", arguments: {} });
 * console.log(calls.receive({ call_id: "1", status: "ok", result: "text" })); // "settled"
 * console.log((await outcome).status); // "ok"
 * ```
 */
export function createPendingToolCalls(options: PendingToolCallsOptions): PendingToolCalls {
  checkArgument("options", options, "object");
  return new Pending(options);
}

const INVALID: ToolCallOutcome = { status: "error", reason: "invalid_response" };

interface Waiting {
  readonly settle: (outcome: ToolCallOutcome) => void;
  readonly unschedule: () => void;
}

class Pending implements PendingToolCalls {
  readonly #schedule: PendingToolCallsOptions["schedule"];
  readonly #manifest: CapabilityManifest | undefined;
  readonly #maxCalls: number;
  readonly #maxArgumentBytes: number;
  readonly #maxResponseBytes: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new Set<string>();

  constructor(options: PendingToolCallsOptions) {
    const {
      schedule,
      manifest,
      maxCalls = DEFAULT_MAX_CALLS,
      maxArgumentBytes = DEFAULT_MAX_ARGUMENT_BYTES,
      maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES,
    } = options;
    this.#schedule = schedule;
    this.#manifest = manifest;
    this.#maxCalls = requireLimit("maxCalls", maxCalls);
    this.#maxArgumentBytes = requireLimit("maxArgumentBytes", maxArgumentBytes);
    this.#maxResponseBytes = requireLimit("maxResponseBytes", maxResponseBytes);
  }

  get size(): number {
    return this.#waiting.size;
  }

  call(call: ToolCall, { timeoutMs }: { readonly timeoutMs?: number | undefined } = {}): Promise<ToolCallOutcome> {
    const { call_id, waitMs } = this.#read(call);
    if (this.#waiting.has(call_id)) {
      throw new ManifestError("DUPLICATE_CALL_ID", "/call_id", "Expected an id that no waiting call has");
    }
    if (this.#waiting.size >= this.#maxCalls) {
      throw new ManifestError("TOO_MANY_CALLS", "", `Expected at most ${this.#maxCalls} calls at the same time`);
    }
    const wait = requireTime(timeoutMs ?? waitMs);
    return new Promise((settle) => {
      const unschedule = this.#after(wait, () => this.#end(call_id, { status: "timeout" }));
      this.#ended.delete(call_id);
      this.#waiting.set(call_id, { settle, unschedule });
    });
  }

  receive(response: unknown): Receipt {
    const { callId, outcome } = readResponse(response, this.#maxResponseBytes);
    const hasEnded = callId !== undefined && this.#end(callId, outcome ?? INVALID);
    if (callId === undefined || !outcome) return "invalid";
    if (hasEnded) return "settled";
    return this.#ended.has(callId) ? "duplicate" : "unknown";
  }

  cancel(callId: string): boolean {
    return this.#end(callId, { status: "cancelled" });
  }

  cancelAll(): void {
    for (const callId of this.#waiting.keys()) this.cancel(callId);
  }

  /**
   * Runs a function after a delay of any length; a delay that is longer than one timer supports is divided into
   * several.
   */
  #after(ms: number, run: () => void): () => void {
    if (ms > MAX_WAIT_MS) {
      let unschedule = this.#schedule(() => {
        unschedule = this.#after(ms - MAX_WAIT_MS, run);
      }, MAX_WAIT_MS);
      return () => unschedule();
    }
    return this.#schedule(run, ms);
  }

  #read(call: ToolCall): { readonly call_id: string; readonly waitMs: number } {
    const limit = { maxArgumentBytes: this.#maxArgumentBytes };
    if (!this.#manifest) {
      return { ...copyCall(call, limit.maxArgumentBytes), waitMs: DEFAULT_TIMEOUT_MS + PROMPT_TIMEOUT_MS };
    }
    const { call: copy, tool, timeoutMs } = readToolCall(call, this.#manifest, limit);
    return { call_id: copy.call_id, waitMs: waitFor(tool, this.#manifest, timeoutMs) };
  }

  #end(callId: string, outcome: ToolCallOutcome): boolean {
    const waiting = this.#waiting.get(callId);
    if (!waiting) return false;
    this.#waiting.delete(callId);
    this.#remember(callId);
    waiting.unschedule();
    waiting.settle(outcome);
    return true;
  }

  #remember(callId: string): void {
    this.#ended.add(callId);
    if (this.#ended.size <= MAX_REMEMBERED_CALLS) return;
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest);
      return;
    }
  }
}

/**
 * Returns the longest time that a response may take under the client's rules: first the user's time, then the tool's.
 */
function waitFor({ permission_scope }: ManifestTool, manifest: CapabilityManifest, toolMs: number): number {
  const scope = manifest.permission_scopes.find(({ id }) => id === permission_scope);
  // A manifest that was not parsed may lack the scope, and then the client denies the call immediately.
  const sensitivity = scope ? sensitivityInEffect(scope) : "low";
  if (sensitivity === "medium") return Number.POSITIVE_INFINITY;
  return sensitivity === "high" ? toolMs + PROMPT_TIMEOUT_MS : toolMs;
}

function requireTime(ms: number): number {
  if (typeof ms === "number" && ms >= 0) return ms;
  throw new ManifestError("INVALID_OPTION", "/timeoutMs", `Expected zero or more milliseconds, received ${show(ms)}`);
}
