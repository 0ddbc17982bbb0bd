import type { JsonValue } from "@agentprint/canonical-json";
import { attempt } from "../attempt.ts";
import { copyJson } from "./copy-json.ts";
import { type ArtifactResponse, ArtifactResponseSchema } from "./messages.ts";

/** How a call ended, according to its response. */
export type ResponseOutcome =
  | {
      readonly status: "ok";
      /** Absent if the tool has no result. */
      readonly result?: JsonValue;
      /**
       * Whether the tool ran and has a result that is larger than `maxResponseBytes`, nests too deep, or is not JSON.
       */
      readonly isResultUnreadable?: true;
    }
  | Pick<Extract<ArtifactResponse, { status: "denied" }>, "status" | "reason">
  | Pick<Extract<ArtifactResponse, { status: "error" }>, "status" | "reason">;

/** A response that has been read: the call that it answers and, if the response is valid, that call's result. */
export interface ReadResponse {
  readonly callId: string | undefined;
  readonly outcome: ResponseOutcome | undefined;
}

/**
 * Reads a response of unknown origin and never throws. It reads each member that the specification names once, and
 * ignores other members. A tool that ran is reported as `ok` even if its result cannot be read, so that no agent runs
 * it again.
 */
export function readResponse(response: unknown, maxBytes: number): ReadResponse {
  const [subtype, call_id, status, result, reason] = MEMBERS.map((name) => read(response, name));
  const known = { subtype, call_id, status, reason };
  const copy = copyJson({ ...known, result }, maxBytes);
  const parsed = ArtifactResponseSchema.safeParse(copy ?? copyJson(known, maxBytes)).data;
  const callId = typeof call_id === "string" ? call_id : undefined;
  if (!parsed || (copy === undefined && parsed.status !== "ok")) return { callId, outcome: undefined };
  return { callId, outcome: copy === undefined ? { status: "ok", isResultUnreadable: true } : outcomeOf(parsed) };
}

const MEMBERS = ["subtype", "call_id", "status", "result", "reason"] as const;

function read(response: unknown, name: (typeof MEMBERS)[number]): unknown {
  return attempt(() => (response as Partial<Record<typeof name, unknown>>)[name]);
}

function outcomeOf(response: ArtifactResponse): ResponseOutcome {
  if (response.status !== "ok") {
    const { status, reason } = response;
    return { status, ...(typeof reason === "string" && { reason }) } as ResponseOutcome;
  }
  return { status: "ok", ...(response.result !== undefined && { result: response.result }) };
}
