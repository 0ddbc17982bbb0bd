import { type ListName, type RequestMessage, RPC_ERROR } from "@agentprint/mcp";
import type { Link } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import { pendingOf } from "../link/recorded-request.ts";
import { send } from "../link/send.ts";
import type { Reading } from "../read/read-message.ts";
import { errorAnswer } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import { whenVerified } from "./when-verified.ts";

/** The list and the naming parameter of each method that uses one item. */
const ITEMS: Readonly<Record<string, readonly [list: ListName, parameter: string]>> = {
  "prompts/get": ["prompts", "name"],
  "resources/read": ["resources", "uri"],
};

/** Judges the fetching of a prompt and the reading of a resource. */
export function readItem(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id, method, params } = message;
  const [list, parameter] = ITEMS[method] as readonly [ListName, string];
  const pending = pendingOf(link, message);
  const report = (outcome: "passed" | "refused", findings: readonly string[], reason?: string) =>
    link.report("call", method, findings, outcome, reason, "client", pending);
  whenVerified(link, list, { message, reading, pending }, out, ({ isVerified, listing }, next) => {
    const name = params[parameter];
    const verdict = typeof name === "string" ? listing?.verdict(name) : undefined;
    // A server may serve resources that it does not list, but it lists every prompt.
    if (list === "prompts" && (!isVerified || verdict === undefined)) {
      report("refused", [], isVerified ? "unknown prompt" : "the prompts could not be verified");
      if (!isVerified) return link.refuse(pending, "the prompts of the server could not be verified", next);
      return next.write("client", errorAnswer(id, RPC_ERROR.invalidParams, "Unknown prompt"));
    }
    const { decision = "pass", findings = [] } = verdict ?? {};
    if (decision === "block" || decision === "ask") {
      report("refused", findings, "not as it was locked");
      return link.refuse(pending, "it is not as it was locked", next);
    }
    report("passed", findings);
    send(link, message, reading, next, {
      ...pending,
      settle: (answer, answerReading, last) => judgeResult(link, pending, undefined, answer, answerReading, last),
    });
  });
}
