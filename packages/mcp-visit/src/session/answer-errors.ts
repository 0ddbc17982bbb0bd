import { printable } from "@agentprint/canonical-json";
import type { RequestId } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";

/** Returns an answer's error, with the method's name in its message. */
export function named(error: VisitError, method: string): VisitError {
  if (error.code !== "server-error") return error;
  return new VisitError("server-error", `the server answered ${method} with ${error.message}`, {
    fix: "give the server what its message requires (a variable, a header, a login), or report it to its author",
    ...error.details,
  });
}

/**
 * Returns the error for an answer that belongs to no open request.
 *
 * @param method The method of an earlier request with this id
 * @param open The ids of the open requests
 */
export function unaskedAnswer(
  id: RequestId | null,
  method: string | undefined,
  open: readonly RequestId[],
): VisitError {
  const text = printable(JSON.stringify(id), 300);
  if (method === undefined) {
    return new VisitError("server-garbage", `the server answered a request that is not open: id ${text}`, {
      expected: open.length > 0 ? `an answer to id ${open.join(" or ")}` : "no answer",
    });
  }
  return new VisitError("server-unstable", `the server answered ${method} again, or too late: id ${text}`, {
    expected: "one answer to each request, in time",
  });
}

/** Returns the error for a server request in a version without server requests. */
export function unknownRequest(method: string, version: string | undefined): VisitError {
  return new VisitError("server-garbage", `the server sent a request: ${printable(method, 100)}`, {
    expected: `only answers and notifications: version ${version} has no server requests`,
  });
}

/** The note about an id that is echoed as text. */
export const ECHOED_ID =
  "the server echoes a request's integer id as text; the protocol requires the same id in the answer";

/**
 * Returns the note about a request that a server sends before it has answered anything; the protocol allows only `ping`
 * at that time.
 */
export function earlyRequest(method: string): string {
  const name = printable(method, 100);
  return `the server sent a request before it answered its greeting: ${name}; it was answered according to the client's capabilities`;
}

/** Returns a failure to send a request as a `VisitError`. */
export function asVisitError(error: unknown): VisitError {
  if (error instanceof VisitError) return error;
  return new VisitError("server-unreachable", error instanceof Error ? error.toString() : "unknown", { cause: error });
}
