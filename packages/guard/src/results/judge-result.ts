import type { Tolerable } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { AnswerMessage } from "@agentprint/mcp";
import type { GuardEvent } from "../events.ts";
import type { Answer } from "../link/link.ts";
import type { GuardRuleId } from "../rules.ts";
import type { ItemVerdict } from "../verify/verdict.ts";
import { variantsOf } from "./inexact-values.ts";

/** The findings about a result, and the reason for its refusal. A result without a reason is forwarded. */
class Judged {
  readonly findings: string[];
  reason: string | undefined;
  readonly #exchange: Answer;

  constructor(exchange: Answer) {
    this.#exchange = exchange;
    this.findings = [...exchange.asked];
  }

  /** Adds a finding because of which the policy may refuse the result. */
  find(rule: GuardRuleId, reason: string, tool?: string): void {
    this.findings.push(rule);
    if (this.#exchange.link.lock.decide(rule, tool) !== "pass") this.reason ??= reason;
  }

  /** Adds a finding because of which the result is refused under any policy. */
  refuse(rule: GuardRuleId, reason: string): void {
    this.findings.push(rule);
    this.reason ??= reason;
  }
}

/**
 * Judges the answer to a request that was let through.
 *
 * @param verdict The verdict on the tool that the request called, or on the tool that its task belongs to.
 */
export function judgeResult(exchange: Answer, verdict: ItemVerdict | undefined): void {
  const { link, message, reading, pending } = exchange;
  const judged = new Judged(exchange);
  const { result } = message;
  if (result) {
    if (reading.tolerated.length > 0) judged.find("guard/inexact-content", "readers read it differently");
    const output = OUTPUTS.get(pending.method)?.(result);
    if (output && verdict) judgeOutput(exchange, verdict, output, judged);
    else if (output && pending.method !== "tools/call" && isWhole(output.result))
      judged.find("guard/result-unknown", "it is unknown which tool the task belongs to");
  }
  let isShown = !exchange.isChanged;
  if (exchange.hides()) {
    judged.findings.push("guard/hidden-text");
    if (link.lock.screen === "withhold") {
      isShown = false;
      // In an error, the text is replaced instead of refusing the answer.
      if (result) judged.reason ??= "the result holds hidden text";
    }
  }
  const { reason, findings } = judged;
  if (link.events.isRecorded) {
    const outcome = reason === undefined ? (isShown ? "passed" : "changed") : "refused";
    const of = { result: reading.forward, tool: verdict?.locked };
    const failure = failureOf(message);
    exchange.report({ kind: "result", outcome, findings, reason, failure, tool: pending.tool }, { of });
  }
  if (reason === undefined) exchange.pass();
  else exchange.refuse(reason);
}

/** Returns how a request failed, according to its answer; `undefined` if it did not fail. */
function failureOf({ result, value }: AnswerMessage): GuardEvent["failure"] {
  if (result) return result["isError"] === true ? "tool_error" : undefined;
  const code = isJsonObject(value["error"]) ? value["error"]["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

/** Returns the tool result in an answer, by the method that is answered. */
const OUTPUTS: ReadonlyMap<string, (result: JsonObject) => ToolResult | undefined> = new Map([
  ["tools/call", (result) => ({ result, pointer: "/result" })],
  ["tasks/result", (result) => ({ result, pointer: "/result" })],
  ["tasks/get", ({ result }) => (isJsonObject(result) ? { result, pointer: "/result/result" } : undefined)],
]);

/** A tool's result, and its JSON Pointer in the message. */
interface ToolResult {
  readonly result: JsonObject;
  readonly pointer: string;
}

/** Judges structured content against the output schema of the definition that the client received. */
function judgeOutput(exchange: Answer, { name, shown }: ItemVerdict, output: ToolResult, judged: Judged): void {
  if (shown === undefined || shown["outputSchema"] === undefined || !isWhole(output.result)) return;
  const { structuredContent: content } = output.result;
  if (content === undefined) {
    judged.find("guard/result-rejected", "the result has no structured content", name);
    return;
  }
  const { judge } = exchange.link.calls;
  const values = valuesOf(content, exchange.reading.tolerated, `${output.pointer}/structuredContent`);
  const [fit, ...others] = values.map((value) => judge.output(shown, value).fits);
  if (others.some((other) => other !== fit)) {
    // The fit depends on how a reader reads a number, so no reader can rely on it.
    judged.refuse("guard/result-unknown", "whether the result fits its schema depends on the reader");
  } else if (fit === "no") judged.find("guard/result-rejected", "the result does not fit its schema", name);
  else if (fit === "unknown") judged.find("guard/result-unknown", "it is unknown whether the result fits", name);
}

/** Returns whether a result must fit its tool's schema, because it is neither an error nor a running task. */
function isWhole({ resultType = "complete", isError, task }: JsonObject): boolean {
  return resultType === "complete" && isError !== true && task === undefined;
}

/**
 * Returns content in each of the forms in which readers may read it. `at` is the content's JSON Pointer in the message.
 */
function valuesOf(content: JsonValue, tolerated: readonly Tolerable[], at: string): readonly JsonValue[] {
  const inside = tolerated.flatMap(({ path }) => (path.startsWith(at) ? [path.slice(at.length)] : []));
  return inside.length > 0 ? variantsOf(content, inside) : [content];
}
