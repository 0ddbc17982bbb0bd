import { eraOfRequest, type ListName, RPC_ERROR } from "@agentprint/mcp";
import type { Request } from "../link/link.ts";
import { errorAnswer } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import { type Verified, whenVerified } from "./when-verified.ts";

/** For each method that uses one item, its list and the parameter that names the item. */
const ITEMS: Readonly<Record<string, readonly [list: ListName, parameter: string]>> = {
  "prompts/get": ["prompts", "name"],
  "resources/read": ["resources", "uri"],
};

/** Judges a request for a prompt or a resource. */
export function readItem(exchange: Request): void {
  const [list] = ITEMS[exchange.message.method] as readonly [ListName, string];
  const verified = whenVerified(exchange, list, (later) => judge(exchange, later));
  if (verified) judge(exchange, verified);
}

function judge(exchange: Request, { isVerified, listing }: Verified): void {
  const { link, message, out } = exchange;
  const { id, method, params } = message;
  const [list, parameter] = ITEMS[method] as readonly [ListName, string];
  const name = params[parameter];
  const verdict = typeof name === "string" ? listing?.verdicts.get(name) : undefined;
  // A server may serve resources that it does not list, but must list every prompt.
  if (list === "prompts" && (!isVerified || verdict === undefined)) {
    const reason = isVerified ? "unknown prompt" : "the prompts could not be verified";
    exchange.report({ kind: "call", outcome: "refused", reason });
    if (isVerified) link.write(out, "client", errorAnswer(id, RPC_ERROR.invalidParams, "Unknown prompt"));
    else exchange.refuse("the prompts of the server could not be verified");
    return;
  }
  const session = listing?.session ?? { era: eraOfRequest(message), view: link.identity.viewOf(message) };
  const uri = list === "resources" && verdict === undefined && typeof name === "string" ? name : undefined;
  const isNew = uri !== undefined && link.lock.world.isUnreadResource(uri, session);
  const { decision = isNew ? "block" : "pass", findings = [] } = verdict ?? {};
  if (decision === "block" || decision === "ask") {
    exchange.report({ kind: "call", outcome: "refused", findings, reason: "it differs from the lock" });
    exchange.refuse("it differs from the lock");
    return;
  }
  exchange.report({ kind: "call", outcome: "passed", findings });
  exchange.forward((answer) => judgeResult(answer, undefined));
}
