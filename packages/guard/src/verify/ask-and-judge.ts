import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { ListKind, NumberTexts } from "@agentprint/mcp";
import type { GuardDecision } from "@agentprint/policy";
import { capabilitiesIn } from "../link/client-capabilities.ts";
import type { Answer, Link, Request } from "../link/link.ts";
import { judgeResult } from "../results/judge-result.ts";
import { judgeGreeting } from "./judge-greeting.ts";
import { wholeOf } from "./listing.ts";
import { requireComplete, UnreadablePage } from "./page-items.ts";
import type { ItemVerdict } from "./verdict.ts";

/** Sends a request for a page of a list, and judges the answer. */
export function requestPage(exchange: Request, kind: ListKind): void {
  const { link, message, pending } = exchange;
  const { lists, lock, settings } = link;
  const { cursor } = message.params;
  const key = link.identity.keyOf(message, pending.presented);
  const from = typeof cursor === "string" ? cursor : undefined;
  const asked = lists.oneOf(key, kind).reading(from, settings.clock.now());
  exchange.forward((answer) => {
    const isRead = judge(answer, "listing", (result) => {
      // Judges by the lock that is in force when the answer arrives, which may not be the lock at the time of the
      // request.
      const page = { page: result, text: answer.text, numbers: answer.reading.numbers, asked };
      const judged = lists.oneOf(key, kind).judge(page, lock.world, lock.policy);
      return { ...judged, ...wholeOf(kind, judged) };
    });
    // A list that was verified before but cannot be read now is no longer verified.
    if (!isRead && asked !== undefined) lists.oneOf(key, kind).invalidate();
  });
}

/** Sends the client's greeting, and judges the server's greeting. */
export function requestGreeting(exchange: Request): void {
  const { link, message } = exchange;
  const { lock } = link;
  const isHandshake = message.method === "initialize";
  if (isHandshake) {
    link.clientCapabilities = capabilitiesIn(message) ?? {};
    link.identity.greets(message);
  }
  exchange.forward((answer) => {
    judge(answer, "capabilities", (result) => {
      requireComplete(result);
      const session = { era: isHandshake ? "legacy" : "modern", view: link.identity.viewOf(message) } as const;
      const judged = judgeGreeting(result, session, lock.world, lock.policy);
      if (isHandshake) rememberGreeting(link, judged.result);
      return judged;
    });
  });
}

function rememberGreeting(link: Link, { protocolVersion, capabilities }: JsonObject): void {
  link.protocolVersion = typeof protocolVersion === "string" ? protocolVersion : undefined;
  link.identity.agrees(link.protocolVersion);
  link.serverCapabilities = isJsonObject(capabilities) ? capabilities : {};
}

/** The decision on a result, with its findings. */
interface Judged {
  readonly result: JsonObject;
  readonly findings: readonly string[];
  readonly decision: GuardDecision;
  readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
  readonly listing?: ReadonlyMap<string, ItemVerdict> | undefined;
  /** The texts of the numbers in a changed result that a double changes. */
  readonly shownNumbers?: NumberTexts | undefined;
}

/**
 * Judges an answer, and then forwards it unchanged, forwards it with changes, or refuses it; returns whether it could
 * be read.
 */
function judge(exchange: Answer, kind: "listing" | "capabilities", judgeIt: (result: JsonObject) => Judged): boolean {
  const { link, message, reading } = exchange;
  const { result: live } = message;
  if (live === undefined) {
    judgeResult(exchange, undefined);
    return false;
  }
  try {
    if (reading.tolerated.length > 0) throw new UnreadablePage("readers read a part of it differently");
    const { result, findings: found, decision, verdicts, listing, shownNumbers } = judgeIt(live);
    const isHiding = exchange.hides();
    const isShown = result === live && !(isHiding && link.lock.screen === "withhold");
    const outcome = isShown ? "passed" : "changed";
    const findings = [...found, ...exchange.asked, ...(isHiding ? ["guard/hidden-text"] : [])];
    exchange.report({ kind, outcome, decision, findings }, { verdicts, of: { listing } });
    if (result === live) exchange.pass();
    else exchange.replaceResult(result, shownNumbers);
    return true;
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    exchange.report({ kind, outcome: "refused", findings: error.findings, reason: error.message });
    exchange.refuse(`the answer of the server cannot be read: ${error.message}`);
    return false;
  }
}
