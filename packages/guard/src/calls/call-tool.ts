import { isJsonObject, type JsonObject, ownMember } from "@agentprint/canonical-json/json-value";
import { RPC_ERROR } from "@agentprint/mcp";
import { decideCall, type GuardDecision } from "@agentprint/policy";
import type { Link, Request } from "../link/link.ts";
import { errorAnswer } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import type { GuardRuleId } from "../rules.ts";
import type { ItemVerdict } from "../verify/verdict.ts";
import { type Agreement, askAbout, rememberAgreed } from "./asking.ts";
import { type Verified, whenVerified } from "./when-verified.ts";

/** A call on its way through the guard. */
interface Call {
  readonly exchange: Request;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The decision on a call, with its reason and findings. */
interface Decided {
  readonly decision: GuardDecision;
  readonly reason?: string | undefined;
  readonly findings: readonly string[];
}

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** Judges a tool call against the verified list, the definition that the client received, and the policy. */
export function callTool(exchange: Request): void {
  const { link, message } = exchange;
  const { name, arguments: given = NO_ARGUMENTS, task } = message.params;
  exchange.pending = {
    ...exchange.pending,
    ...(typeof name === "string" && { tool: name }),
    ...(task !== undefined && { isTask: true }),
  };
  if (typeof name !== "string" || !isJsonObject(given)) {
    exchange.report({ kind: "call", outcome: "refused", reason: "a call has a name and an object of arguments" });
    const said = errorAnswer(message.id, RPC_ERROR.invalidParams, "A call has a name and an object of arguments");
    link.write(exchange.out, "client", said);
    return;
  }
  const call: Call = { exchange, name, arguments: given };
  const verified = whenVerified(exchange, "tools", (later) => judge(call, later));
  if (verified) judge(call, verified);
}

/** Judges a call again if consent came late, because the tools may have changed in the meantime. */
function judgeAgain(call: Call, agreement: Agreement): void {
  const { exchange } = call;
  const now = exchange.link.settings.clock.now();
  const verified = whenVerified(exchange, "tools", (later) => judge(call, later, agreement), now);
  if (verified) judge(call, verified, agreement);
}

function judge(call: Call, { isVerified, listing }: Verified, agreement?: Agreement): void {
  const { exchange, name } = call;
  const { link, message } = exchange;
  const verdict = isVerified ? listing?.verdicts.get(name) : undefined;
  if (isVerified && verdict === undefined) {
    reportCall(call, verdict, { decision: "block", findings: [], reason: "unknown tool" }, "refused");
    if (link.settings.dryRun) forward(call, undefined, undefined);
    else link.write(exchange.out, "client", errorAnswer(message.id, RPC_ERROR.invalidParams, "Unknown tool"));
    return;
  }
  const decided = verdict ? decide(call, verdict) : UNVERIFIED;
  const isAllowed = decided.decision === "pass" || decided.decision === "freeze";
  // Opens the sealed state even if consent is no longer needed, because the server must never see it.
  const isAnswer = isAllowed && link.calls.seal.isOwn(message.params["requestState"]);
  if ((decided.decision === "ask" || isAnswer) && agreement === undefined && !link.settings.dryRun) {
    const answered = (answer: Agreement, isLate = false): void => {
      if (answer.agreed && isLate) judgeAgain(call, answer);
      else goOn(call, verdict, decided, answer);
    };
    askAbout({ exchange, reason: decided.reason ?? "", goOn: answered });
  } else goOn(call, verdict, decided, agreement);
}

const UNVERIFIED: Decided = {
  decision: "block",
  findings: [],
  reason: "the tools of the server could not be verified",
};

/** Forwards or refuses a call according to the decision and, if consent was needed, to the answer. */
function goOn(call: Call, verdict: ItemVerdict | undefined, decided: Decided, agreement: Agreement | undefined): void {
  const { exchange } = call;
  const isAllowed = decided.decision !== "block" && (agreement ? agreement.agreed : decided.decision !== "ask");
  let reason = agreement?.agreed === false ? agreement.reason : isAllowed ? undefined : decided.reason;
  if (reason === undefined && isTooOften(call)) reason = "the policy allows fewer calls per minute";
  const outcome = reason === undefined ? "passed" : "refused";
  reportCall(call, verdict, { ...decided, reason: reason ?? decided.reason }, outcome);
  if (reason === undefined || exchange.link.settings.dryRun) forward(call, verdict, agreement);
  else exchange.refuse(reason);
}

/** Sends a call to the server, with the parameters that the person agreed to. */
function forward({ exchange }: Call, verdict: ItemVerdict | undefined, agreement: Agreement | undefined): void {
  const { message } = exchange;
  const params = agreement?.agreed ? agreement.params : message.params;
  const isChanged = params !== message.params;
  const sent = isChanged ? exchange.changed({ ...message, params, value: { ...message.value, params } }) : exchange;
  sent.forward((answer) => {
    const { result } = answer.message;
    if (agreement?.agreed) rememberAgreed(sent, result);
    rememberTask(sent, verdict, result);
    judgeResult(answer, verdict);
  });
}

/** Remembers the verdict for a task, whose result arrives later under the task's own id. */
function rememberTask(
  { link, message, pending }: Request,
  verdict: ItemVerdict | undefined,
  result: JsonObject | undefined,
): void {
  const task = result?.["task"];
  const id = isJsonObject(task) ? task["taskId"] : result?.["taskId"];
  if (verdict === undefined || typeof id !== "string") return;
  link.calls.tasks.add(link.identity.keyOf(message, pending.presented).digest, id, verdict);
}

function isTooOften({ exchange, name }: Call): boolean {
  const { calls, lock, settings } = exchange.link;
  const { maxPerMinute } = ruleOf(lock.policy, lock.server, name);
  return maxPerMinute !== undefined && !calls.rate.take(name, maxPerMinute, settings.clock.now());
}

function ruleOf(policy: Link["lock"]["policy"], server: string, name: string) {
  return ownMember(ownMember(policy.servers, server)?.calls ?? {}, name) ?? {};
}

/** Returns the strictest of the decisions on the definition, on the arguments and by the policy. */
function decide(call: Call, verdict: ItemVerdict): Decided {
  const { lock } = call.exchange.link;
  const { findings, decision, shown } = verdict;
  if (shown === undefined || decision === "block") {
    return { decision: "block", findings, reason: "the tool differs from the lock" };
  }
  const unfit = judgeArguments(call, shown);
  if (unfit && unfit.decision !== "pass" && unfit.decision !== "ask") {
    return { ...unfit, decision: "block", findings: [...findings, ...unfit.findings] };
  }
  const all = [...findings, ...(unfit?.findings ?? [])];
  const said = decideCall(lock.policy, { server: lock.server, tool: call.name, arguments: call.arguments });
  if (said.decision === "deny") return { decision: "block", findings: all, reason: said.reason };
  if (said.decision === "ask") return { decision: "ask", findings: all, reason: said.reason };
  if (decision === "ask") return { decision, findings: all, reason: "the tool differs from the lock" };
  return unfit?.decision === "ask" ? { ...unfit, findings: all } : { decision, findings: all };
}

/**
 * Returns the decision on arguments that do not fit the shown definition or cannot be judged; otherwise `undefined`.
 */
function judgeArguments({ exchange, name, arguments: given }: Call, shown: JsonObject): Decided | undefined {
  const { calls, lock } = exchange.link;
  const fit = calls.judge.input(shown, given);
  if (fit.fits === "yes") return undefined;
  const rule: GuardRuleId =
    fit.fits === "no" ? "guard/arguments-rejected" : fit.isFormat ? "guard/format-unknown" : "guard/arguments-unknown";
  const reason =
    fit.fits === "no"
      ? `the arguments do not fit the definition of the tool${fit.place === "" ? "" : `, at ${JSON.stringify(fit.place)}`}`
      : "it is unknown whether the arguments fit the definition of the tool";
  return { decision: lock.decide(rule, name), findings: [rule], reason };
}

function reportCall(
  call: Call,
  verdict: ItemVerdict | undefined,
  { decision, findings, reason }: Decided,
  outcome: "passed" | "refused",
): void {
  const { exchange, name: tool } = call;
  const event = { kind: "call", from: "client", method: "tools/call", about: exchange.pending, tool } as const;
  const of = { arguments: call.arguments, tool: verdict?.locked };
  exchange.link.events.emit({ ...event, outcome, decision, findings, reason }, { of });
}
