import { isJsonObject, type JsonObject, ownMember } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, type RequestMessage, RPC_ERROR } from "@agentprint/mcp";
import { decideCall, type GuardDecision } from "@agentprint/policy";
import type { Link, Waiting } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import type { Pending } from "../link/pending.ts";
import { pendingOf } from "../link/recorded-request.ts";
import { send } from "../link/send.ts";
import type { Reading } from "../read/read-message.ts";
import { errorAnswer } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import type { GuardRuleId } from "../rules.ts";
import type { ItemVerdict } from "../verify/verdict.ts";
import { type Agreement, askAbout, rememberAgreed } from "./asking.ts";
import { whenVerified } from "./when-verified.ts";

/** A call that is on its way through the guard. */
interface Call extends Waiting {
  readonly link: Link;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The decision about a call, with its reason and findings. */
interface Decided {
  readonly decision: GuardDecision;
  readonly reason?: string;
  readonly findings: readonly string[];
}

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** Judges a call of a tool: against the verified list, the definition that the client was given, and the policy. */
export function callTool(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id, method, params } = message;
  const { name, arguments: given = NO_ARGUMENTS, task } = params;
  const pending: Pending = {
    ...pendingOf(link, message),
    ...(typeof name === "string" && { tool: name }),
    ...(task !== undefined && { isTask: true }),
  };
  if (typeof name !== "string" || !isJsonObject(given)) {
    link.report("call", method, [], "refused", "a call has a name and an object of arguments", "client", pending);
    out.write("client", errorAnswer(id, RPC_ERROR.invalidParams, "A call has a name and an object of arguments"));
    return;
  }
  const call: Call = { link, message, reading, pending, name, arguments: given };
  verify(call, out);
}

/** Judges a call once the tools are verified, and again after a late consent. */
function verify(call: Call, out: Output, agreement?: Agreement): void {
  whenVerified(call.link, "tools", call, out, ({ isVerified, listing }, next) => {
    judge(call, isVerified, isVerified ? listing?.verdict(call.name) : undefined, next, agreement);
  });
}

function judge(
  call: Call,
  isVerified: boolean,
  verdict: ItemVerdict | undefined,
  out: Output,
  agreement: Agreement | undefined,
): void {
  const { link, message, pending } = call;
  if (isVerified && verdict === undefined) {
    reportCall(call, verdict, { decision: "block", findings: [], reason: "unknown tool" }, "refused");
    if (link.settings.dryRun) forward(call, undefined, message, out, false);
    else out.write("client", errorAnswer(message.id, RPC_ERROR.invalidParams, "Unknown tool"));
    return;
  }
  const decided = verdict ? decide(call, verdict) : UNVERIFIED;
  const isAllowed = decided.decision === "pass" || decided.decision === "freeze";
  // Opens the sealed state even where no consent is needed any more: the server never sees it.
  const isAnswer = isAllowed && link.calls.seal.isOwn(message.params["requestState"]);
  if ((decided.decision === "ask" || isAnswer) && agreement === undefined && !link.settings.dryRun) {
    const question = {
      link,
      message,
      reading: call.reading,
      pending,
      reason: decided.reason ?? "",
      goOn: (answer: Agreement, next: Output, isLate = false) => {
        if (answer.agreed && isLate) verify(call, next, answer);
        else goOn(call, verdict, decided, answer, next);
      },
    };
    askAbout(question, out);
  } else goOn(call, verdict, decided, agreement, out);
}

const UNVERIFIED: Decided = {
  decision: "block",
  findings: [],
  reason: "the tools of the server could not be verified",
};

/** Forwards or refuses a call by its decision and, where consent was needed, by the answer. */
function goOn(
  call: Call,
  verdict: ItemVerdict | undefined,
  decided: Decided,
  agreement: Agreement | undefined,
  out: Output,
): void {
  const { link, message, pending, name } = call;
  const { settings } = link;
  const isAllowed = decided.decision !== "block" && (agreement ? agreement.agreed : decided.decision !== "ask");
  let reason = agreement?.agreed === false ? agreement.reason : isAllowed ? undefined : decided.reason;
  if (reason === undefined && isTooOften(call)) reason = "the policy allows fewer calls in a minute";
  reportCall(
    call,
    verdict,
    { ...decided, ...(reason !== undefined && { reason }) },
    reason === undefined ? "passed" : "refused",
  );
  if (reason !== undefined && !settings.dryRun) {
    link.refuse(pending, reason, out);
    return;
  }
  const params = agreement?.agreed ? agreement.params : message.params;
  const isChanged = params !== message.params;
  const sent = isChanged ? { ...message, params, value: { ...message.value, params } } : message;
  forward({ ...call, name }, verdict, sent, out, agreement?.agreed === true, isChanged);
}

function forward(
  { link, reading, pending }: Call,
  verdict: ItemVerdict | undefined,
  message: RequestMessage,
  out: Output,
  isAgreed: boolean,
  isChanged = false,
): void {
  const settle = (answer: AnswerMessage, answerReading: Reading, next: Output) => {
    if (isAgreed) rememberAgreed(link, message, pending.presented, answer.result);
    rememberTask(link, message, pending, verdict, answer.result);
    judgeResult(link, pending, verdict, answer, answerReading, next);
  };
  send(link, message, reading, out, { ...pending, settle }, isChanged);
}

/** Remembers the verdict for a task, which answers later under its own id. */
function rememberTask(
  link: Link,
  message: RequestMessage,
  { presented }: Pending,
  verdict: ItemVerdict | undefined,
  result: JsonObject | undefined,
): void {
  const task = result?.["task"];
  const id = isJsonObject(task) ? task["taskId"] : result?.["taskId"];
  if (verdict === undefined || typeof id !== "string") return;
  link.calls.tasks.add(link.keyOf(message, presented).digest, id, verdict);
}

function isTooOften({ link: { calls, lock, settings }, name }: Call): boolean {
  const { maxPerMinute } = ruleOf(lock.policy, lock.server, name);
  return maxPerMinute !== undefined && !calls.rate.take(name, maxPerMinute, settings.clock.now());
}

function ruleOf(policy: Link["lock"]["policy"], server: string, name: string) {
  return ownMember(ownMember(policy.servers, server)?.calls ?? {}, name) ?? {};
}

/** Returns the strictest decision of the definition, the arguments and the policy. */
function decide(call: Call, verdict: ItemVerdict): Decided {
  const { lock } = call.link;
  const { findings, decision, shown } = verdict;
  if (shown === undefined || decision === "block") {
    return { decision: "block", findings, reason: "the tool is not as it was locked" };
  }
  const unfit = judgeArguments(call, shown);
  if (unfit && unfit.decision !== "pass" && unfit.decision !== "ask") {
    return { ...unfit, decision: "block", findings: [...findings, ...unfit.findings] };
  }
  const all = [...findings, ...(unfit?.findings ?? [])];
  const said = decideCall(lock.policy, { server: lock.server, tool: call.name, arguments: call.arguments });
  if (said.decision === "deny") return { decision: "block", findings: all, reason: said.reason };
  if (said.decision === "ask") return { decision: "ask", findings: all, reason: said.reason };
  if (decision === "ask") return { decision, findings: all, reason: "the tool is not as it was locked" };
  return unfit?.decision === "ask" ? { ...unfit, findings: all } : { decision, findings: all };
}

/** Returns the decision about arguments that do not fit the shown definition or cannot be judged, else `undefined`. */
function judgeArguments(
  { link: { calls, lock }, name, arguments: given }: Call,
  shown: JsonObject,
): Decided | undefined {
  const fit = calls.judge.input(shown, given);
  if (fit.fits === "yes") return undefined;
  const rule: GuardRuleId =
    fit.fits === "no" ? "guard/arguments-rejected" : fit.isFormat ? "guard/format-unknown" : "guard/arguments-unknown";
  const reason =
    fit.fits === "no"
      ? `the arguments do not fit the definition of the tool${fit.place === "" ? "" : `, at ${JSON.stringify(fit.place)}`}`
      : "nobody can tell whether the arguments fit the definition of the tool";
  return { decision: lock.decide(rule, name), findings: [rule], reason };
}

function reportCall(
  call: Call,
  verdict: ItemVerdict | undefined,
  decided: Decided,
  outcome: "passed" | "refused",
): void {
  const { events } = call.link;
  if (!events.isRecorded) return;
  const { correlation, request, method } = call.pending;
  const { decision, findings, reason } = decided;
  events.emit(
    {
      kind: "call",
      from: "client",
      method,
      tool: call.name,
      outcome,
      decision,
      findings,
      correlation,
      ...(request && { request }),
      ...(reason !== undefined && { reason }),
    },
    { of: { arguments: call.arguments, tool: verdict?.locked } },
  );
}
