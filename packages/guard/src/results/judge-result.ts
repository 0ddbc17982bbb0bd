import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { AnswerMessage } from "@agentprint/mcp";
import type { GuardEvent } from "../events.ts";
import type { Link } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import type { Pending } from "../link/pending.ts";
import type { Reading } from "../read/read-message.ts";
import type { GuardRuleId } from "../rules.ts";
import type { ItemVerdict } from "../verify/verdict.ts";
import { variantsOf } from "./inexact-values.ts";

/** The findings about a result, and the reason of its refusal. A result without a reason is forwarded. */
interface Judged {
  readonly findings: string[];
  reason?: string;
}

/** Judges the answer to a request that was let through. */
export function judgeResult(
  link: Link,
  pending: Pending,
  verdict: ItemVerdict | undefined,
  message: AnswerMessage,
  reading: Reading,
  out: Output,
): void {
  const { events, lock } = link;
  const judged: Judged = { findings: [...(reading.asked ?? [])] };
  const { result } = message;
  if (result) {
    if (reading.tolerated.length > 0)
      find(link, judged, "guard/inexact-content", "it holds what readers read differently");
    const output = OUTPUTS.get(pending.method)?.(result);
    if (output && verdict) judgeOutput(link, verdict, output, reading, judged);
    else if (output && pending.method !== "tools/call" && isWhole(output.result))
      find(link, judged, "guard/result-unknown", "nobody knows which tool the task is of");
  }
  let isShown = reading.isChanged !== true;
  if (link.hides(message, reading)) {
    judged.findings.push("guard/hidden-text");
    if (lock.screen === "withhold") {
      isShown = false;
      // In an error, the text is replaced instead.
      if (result) judged.reason ??= "the result holds hidden text";
    }
  }
  const { reason, findings } = judged;
  if (events.isRecorded) {
    const { method, correlation, request, tool } = pending;
    const failure = failureOf(message);
    events.emit(
      {
        kind: "result",
        from: "server",
        method,
        ...(tool !== undefined && { tool }),
        outcome: reason === undefined ? (isShown ? "passed" : "changed") : "refused",
        findings,
        ...(reason !== undefined && { reason }),
        ...(failure !== undefined && { failure }),
        correlation,
        ...(request && { request }),
      },
      { of: { result: reading.forward, tool: verdict?.locked } },
    );
  }
  if (reason === undefined) link.pass("server", message, reading, out);
  else link.refuse(pending, reason, out);
}

/** Returns how a request failed, by its answer, or `undefined`. */
function failureOf({ result, value }: AnswerMessage): GuardEvent["failure"] {
  if (result) return result["isError"] === true ? "tool_error" : undefined;
  const code = isJsonObject(value["error"]) ? value["error"]["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

function find({ lock }: Link, judged: Judged, rule: GuardRuleId, reason: string, tool?: string): void {
  judged.findings.push(rule);
  if (lock.decide(rule, tool) !== "pass") judged.reason ??= reason;
}

/** Returns the result of a tool in an answer, by the method that it answers. */
const OUTPUTS: ReadonlyMap<string, (result: JsonObject) => ToolResult | undefined> = new Map([
  ["tools/call", (result) => ({ result, pointer: "/result" })],
  ["tasks/result", (result) => ({ result, pointer: "/result" })],
  ["tasks/get", ({ result }) => (isJsonObject(result) ? { result, pointer: "/result/result" } : undefined)],
]);

/** The result of a tool, and its JSON Pointer in the message. */
interface ToolResult {
  readonly result: JsonObject;
  readonly pointer: string;
}

/** Judges structured content against the output schema of the definition that the client received. */
function judgeOutput(
  link: Link,
  { name, shown }: ItemVerdict,
  { result, pointer }: ToolResult,
  reading: Reading,
  judged: Judged,
): void {
  const { structuredContent: content } = result;
  if (shown === undefined || shown["outputSchema"] === undefined || !isWhole(result)) return;
  if (content === undefined) {
    find(link, judged, "guard/result-rejected", "the result has no structured content", name);
    return;
  }
  const [fit, ...others] = fitsOf(link, shown, content, reading, `${pointer}/structuredContent`);
  if (others.some((other) => other !== fit)) {
    // The fit depends on how a reader reads a number, so that no reader may rely on it.
    judged.findings.push("guard/result-unknown");
    judged.reason ??= "whether the result fits its schema depends on the reader";
  } else if (fit === "no") find(link, judged, "guard/result-rejected", "the result does not fit its schema", name);
  else if (fit === "unknown")
    find(link, judged, "guard/result-unknown", "nobody can tell whether the result fits", name);
}

/** Returns whether a result has to fit the schema of its tool: it is neither an error nor a running task. */
function isWhole({ resultType = "complete", isError, task }: JsonObject): boolean {
  return resultType === "complete" && isError !== true && task === undefined;
}

function fitsOf({ calls }: Link, shown: JsonObject, content: JsonValue, { tolerated }: Reading, at: string): string[] {
  const inside = tolerated.flatMap(({ path }) => (path.startsWith(at) ? [path.slice(at.length)] : []));
  const values = inside.length > 0 ? variantsOf(content, inside) : [content];
  return values.map((value) => calls.judge.output(shown, value).fits);
}
