import type { GuardEvent } from "@agentprint/guard";
import type { EventInput } from "@agentprint/recorder";

/**
 * The maximum length of a content, in UTF-16 units, so that an event with the encrypted content still fits into a
 * record.
 */
const MAX_CONTENT_LENGTH = 2 ** 17;

/** Returns an event of a guard as a recorder expects it: a member that is `undefined` is absent. */
export function eventInput(event: GuardEvent): EventInput {
  const { server, from, method, tool, outcome, decision, findings, reason, correlation: call } = event;
  const digests = digestsOf(event);
  const members = {
    kind: kindOf(event),
    server,
    from,
    method,
    tool,
    outcome,
    decision,
    findings,
    reason,
    call,
    digests,
  };
  if (event.kind === "request") members.method ??= "unknown";
  if (event.kind === "fault") members.reason ??= "unknown";
  return members as EventInput;
}

function kindOf({ kind, outcome }: GuardEvent): EventInput["kind"] {
  if (kind === "asked") return outcome === "waiting" ? "asked" : "answered";
  // A refused call never happens, so no result follows.
  return kind === "call" && outcome === "refused" ? "refused" : kind;
}

function digestsOf({ digests }: GuardEvent): Record<string, string> {
  const { arguments: given, listing, lock, result, tool } = digests;
  const known: Record<string, string> = {};
  if (given !== undefined) known["arguments"] = given;
  if (listing !== undefined) known["listing"] = listing;
  known["lock"] = lock;
  if (result !== undefined) known["result"] = result;
  if (tool !== undefined) known["tool"] = tool;
  return known;
}

/** Returns the arguments and the result under their names in OpenTelemetry, leaving out one that is too long. */
export function contentsOf({ contents }: GuardEvent): { attributes?: Record<string, string> } {
  const attributes: Record<string, string> = {};
  for (const [name, text] of [
    ["gen_ai.tool.call.arguments", contents.arguments],
    ["gen_ai.tool.call.result", contents.result],
  ] as const) {
    if (text !== undefined && text.length <= MAX_CONTENT_LENGTH) attributes[name] = text;
  }
  return Object.keys(attributes).length === 0 ? {} : { attributes };
}
