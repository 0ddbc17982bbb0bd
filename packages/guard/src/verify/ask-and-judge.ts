import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { AnswerMessage, ListKind, RequestMessage } from "@agentprint/mcp";
import type { GuardDecision } from "@agentprint/policy";
import type { Link } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import type { Pending } from "../link/pending.ts";
import { pendingOf } from "../link/recorded-request.ts";
import { send } from "../link/send.ts";
import type { Reading } from "../read/read-message.ts";
import { answer } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import { judgeGreeting } from "./judge-greeting.ts";
import { UnreadablePage } from "./judge-page.ts";
import { wholeOf } from "./listing.ts";
import type { ItemVerdict } from "./verdict.ts";

/** Sends a request for a page of a list, and judges the answer. */
export function requestPage(link: Link, kind: ListKind, message: RequestMessage, reading: Reading, out: Output): void {
  const { lists, lock, settings } = link;
  const { cursor } = message.params;
  const pending = pendingOf(link, message);
  const key = link.keyOf(message, link.presented);
  const from = typeof cursor === "string" ? cursor : undefined;
  const list = lists.oneOf(key, kind).reading(from, settings.clock.now());
  send(link, message, reading, out, {
    ...pending,
    settle: (answer, answerReading, next) => {
      const isRead = judge(link, pending, answer, answerReading, next, "listing", (result) => {
        // Judges by the lock in force when the answer arrives, which may differ from that at the request.
        const listing = lists.oneOf(key, kind);
        const judged = listing.judge(result, answerReading.text, list, lock.world, lock.policy);
        return { ...judged, ...wholeOf(kind, judged) };
      });
      // A list that was verified before and cannot be read now is verified no more.
      if (!isRead && list !== undefined) lists.oneOf(key, kind).invalidate();
    },
  });
}

/** Sends the greeting of the client, and judges that of the server. */
export function requestGreeting(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { lock } = link;
  const pending = pendingOf(link, message);
  const isHandshake = message.method === "initialize";
  if (isHandshake) link.greets(message);
  send(link, message, reading, out, {
    ...pending,
    settle: (answer, answerReading, next) => {
      judge(link, pending, answer, answerReading, next, "capabilities", (result) => {
        const judged = judgeGreeting(result, isHandshake ? "legacy" : "modern", lock.world, lock.policy);
        if (isHandshake) rememberGreeting(link, judged.result);
        return judged;
      });
    },
  });
}

function rememberGreeting(link: Link, { protocolVersion, capabilities }: JsonObject): void {
  link.agrees(typeof protocolVersion === "string" ? protocolVersion : undefined);
  link.serverCapabilities = isJsonObject(capabilities) ? capabilities : {};
}

/** The decision about a result, with its findings. */
interface Judged {
  readonly result: JsonObject;
  readonly findings: readonly string[];
  readonly decision: GuardDecision;
  readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
  readonly listing?: ReadonlyMap<string, ItemVerdict> | undefined;
}

/** Judges an answer, and forwards it as it came, forwards it changed, or refuses it; returns whether it could be read. */
function judge(
  link: Link,
  pending: Pending,
  message: AnswerMessage,
  reading: Reading,
  out: Output,
  kind: "listing" | "capabilities",
  judgeIt: (result: JsonObject) => Judged,
): boolean {
  const { result: live } = message;
  if (live === undefined) {
    judgeResult(link, pending, undefined, message, reading, out);
    return false;
  }
  const { method, correlation, request } = pending;
  try {
    if (reading.tolerated.length > 0) throw new UnreadablePage("readers read something in it differently");
    const { resultType = "complete" } = live;
    // MCP 2026-07-28, "Multi Round-Trip Requests": a server asks nothing in a list or a greeting.
    if (resultType !== "complete") throw new UnreadablePage("a list or a greeting is complete");
    const { result, findings: found, decision, verdicts, listing } = judgeIt(live);
    const isHiding = link.hides(message, reading);
    const isShown = result === live && !(isHiding && link.lock.screen === "withhold");
    const outcome = isShown ? "passed" : "changed";
    const of = { correlation, ...(request && { request }) };
    const findings = [...found, ...(reading.asked ?? []), ...(isHiding ? ["guard/hidden-text"] : [])];
    link.events.emit(
      { kind, from: "server", method, outcome, decision, findings, ...of },
      { verdicts, of: { listing } },
    );
    if (result === live) link.pass("server", message, reading, out);
    else link.replaceResult(message, reading, answer(pending.id, result), out);
    return true;
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    link.report(kind, method, error.findings, "refused", error.message, "server", pending);
    link.refuse(pending, `the answer of the server cannot be read: ${error.message}`, out);
    return false;
  }
}
