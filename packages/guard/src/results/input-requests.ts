import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json/json-value";
import { RPC_ERROR } from "@agentprint/mcp";
import { nameFault } from "../read/read-shape.ts";
import { REFUSED } from "../refusal.ts";
import type { GuardRuleId } from "../rules.ts";

/** The client capability that allows a server's request, by method. */
export const REQUEST_KINDS: ReadonlyMap<string, "sampling" | "elicitation" | "roots"> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
]);

const DENIED = "the server requests something that the policy denies";
const UNREADABLE = "the server requests something that cannot be read";

/** The server's requests within a message, and the message without the requests that the policy denies. */
export interface Asked {
  /** The rules about these requests, each once. */
  readonly findings: readonly GuardRuleId[];
  /** The remaining result or parameters; the same object if nothing is denied. */
  readonly left: JsonObject;
  /** Why nothing is left of the message. */
  readonly reason?: string;
  /** The tasks that wait only for denied requests, so that the client sees them as failed. */
  readonly failed: readonly string[];
}

/**
 * Reads the server's requests to the client within a result, an error or a notification's parameters: in its
 * `inputRequests`, in the `inputRequests` of a task in it or of a task's result (MCP 2026-07-28, "Multi Round-Trip
 * Requests"; the tasks extension), or in an error that requests elicitations. Returns `undefined` if there are none.
 *
 * @param denied The kinds of request that the policy denies.
 */
export function readAsked(root: JsonObject, denied: ReadonlySet<string>): Asked | undefined {
  if (!asks(root)) return undefined;
  const reader = new AskedReader(denied);
  const left = reader.part(root);
  const { reason, failed } = reader;
  return { findings: [...reader.findings], left, failed, ...(reason !== undefined && { reason }) };
}

/** The members in which a part of a message contains further parts. */
const PARTS = ["result", "task", "error"] as const;

/** Returns whether a part of a message contains requests by the server. Runs for every answer. */
function asks({ inputRequests, code, result, task, error }: JsonObject): boolean {
  if (inputRequests !== undefined || code === RPC_ERROR.urlElicitationRequired) return true;
  return (
    (isJsonObject(result) && asks(result)) || (isJsonObject(task) && asks(task)) || (isJsonObject(error) && asks(error))
  );
}

function wantsElicitation(error: JsonObject): boolean {
  return ownMember(error, "code") === RPC_ERROR.urlElicitationRequired;
}

class AskedReader {
  readonly findings = new Set<GuardRuleId>();
  readonly failed: string[] = [];
  reason: string | undefined;
  readonly #denied: ReadonlySet<string>;

  constructor(denied: ReadonlySet<string>) {
    this.#denied = denied;
  }

  /**
   * Returns a part of a message without the denied requests; records the rules, the failed tasks and, if no request is
   * left, the reason.
   */
  part(part: JsonObject): JsonObject {
    let left = part;
    for (const name of PARTS) {
      const inner = ownMember(part, name);
      if (!isJsonObject(inner)) continue;
      if (name === "error" && wantsElicitation(inner) && this.#isDenied("elicitation"))
        return this.#without(part, DENIED);
      const kept = this.part(inner);
      if (kept !== inner) left = { ...left, [name]: kept };
    }
    if (wantsElicitation(part) && this.#isDenied("elicitation")) return this.#without(part, DENIED);
    if (!Object.hasOwn(part, "inputRequests")) return left;
    const { inputRequests } = part;
    const requests = isJsonObject(inputRequests) ? Object.entries(inputRequests) : undefined;
    if (requests === undefined || !requests.every(([, request]) => isReadable(request))) {
      return this.#without(part, UNREADABLE);
    }
    const kept = requests.filter(([, request]) => !this.#isDeniedRequest(request));
    if (kept.length === requests.length) return left;
    if (kept.length === 0) return this.#without(part, DENIED);
    return { ...left, inputRequests: Object.fromEntries(kept) };
  }

  #isDeniedRequest(request: JsonValue): boolean {
    const method = isJsonObject(request) ? request["method"] : undefined;
    const kind = typeof method === "string" ? REQUEST_KINDS.get(method) : undefined;
    return kind !== undefined && this.#isDenied(kind);
  }

  #isDenied(kind: "sampling" | "elicitation" | "roots"): boolean {
    this.findings.add(`guard/${kind}-request`);
    return this.#denied.has(kind);
  }

  /**
   * Returns a failed task in place of a task that waits for denied requests; for any other part, records the reason.
   */
  #without(part: JsonObject, reason: string): JsonObject {
    const { taskId } = part;
    if (typeof taskId !== "string") {
      this.reason ??= reason;
      return part;
    }
    this.failed.push(taskId);
    const { inputRequests: _requests, result: _result, requestState: _state, ...task } = part;
    const message = `Refused by the guard: ${reason}`;
    const isWaiting = task["resultType"] === "input_required";
    return {
      ...task,
      ...(isWaiting && { resultType: "complete" }),
      status: "failed",
      statusMessage: message,
      error: { code: REFUSED, message },
    };
  }
}

function isReadable(request: JsonValue): boolean {
  return isJsonObject(request) && !nameFault(request) && typeof request["method"] === "string";
}
