import { isJsonObject } from "@agentprint/canonical-json/json-value";
import {
  idKey,
  listOfMethod,
  type MessageParts,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "@agentprint/mcp";
import { callTool } from "../calls/call-tool.ts";
import { readItem } from "../calls/read-item.ts";
import type { Link } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import { type Pending, settlePending } from "../link/pending.ts";
import { pendingOf } from "../link/recorded-request.ts";
import { send } from "../link/send.ts";
import type { Reading } from "../read/read-message.ts";
import { errorAnswer, REFUSED } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import { requestGreeting, requestPage } from "../verify/ask-and-judge.ts";

/** Judges a message of the client. */
export function clientMessage(link: Link, message: MessageParts, reading: Reading, out: Output): void {
  switch (message.kind) {
    case "request":
      clientRequest(link, message, reading, out);
      return;
    case "notification":
      clientNotification(link, message, reading, out);
      return;
    case "answer": {
      const isAnswer = settlePending(link.toClient, message, ({ settle }) => {
        if (settle) settle(message, reading, out);
        else link.pass("client", message, reading, out);
      });
      if (!isAnswer) link.report("refused", "", [], "refused", "an answer to nothing that was asked", "client");
    }
  }
}

function clientRequest(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id } = message;
  const { settings, toServer, held } = link;
  const key = idKey(id);
  const other = toServer.get(key) ?? held.get(key);
  if (other !== undefined) {
    refuseId(link, message, other.id, out);
    return;
  }
  if (toServer.size >= settings.limits.pending && !forgetCancelled(link)) {
    refuseAtOnce(link, message, "too many requests wait for their answers", out);
    return;
  }
  try {
    judgeRequest(link, message, reading, out);
  } catch (error) {
    toServer.delete(key);
    held.get(key)?.stop();
    held.delete(key);
    throw error;
  }
}

function judgeRequest(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id, method } = message;
  const { calls } = link;
  if (method !== "tools/call" && calls.seal.isOwn(message.params["requestState"])) {
    refuseAtOnce(link, message, "the guard asked nothing about this", out);
    return;
  }
  const kind = listOfMethod(method);
  if (kind) {
    requestPage(link, kind, message, reading, out);
    return;
  }
  switch (method) {
    case "initialize":
    case "server/discover":
      requestGreeting(link, message, reading, out);
      return;
    case "tools/call":
      callTool(link, message, reading, out);
      return;
    case "prompts/get":
    case "resources/read":
      readItem(link, message, reading, out);
      return;
    case "subscriptions/listen": {
      const { notifications } = message.params;
      if (isJsonObject(notifications)) link.subscriptions.set(id, notifications);
    }
  }
  const { taskId } = message.params;
  const owner = taskId === undefined ? undefined : link.keyOf(message, link.presented).digest;
  const verdict = owner === undefined ? undefined : calls.tasks.get(owner, taskId);
  const pending: Pending = { ...pendingOf(link, message), ...(verdict && { tool: verdict.name }) };
  link.report("passed", method, [], "passed", undefined, "client", pending);
  send(link, message, reading, out, {
    ...pending,
    settle: (answer, answerReading, next) => {
      link.subscriptions.delete(id);
      judgeResult(link, pending, verdict, answer, answerReading, next);
    },
  });
}

/** Refuses a request without judging it. */
function refuseAtOnce(link: Link, message: RequestMessage, reason: string, out: Output): void {
  const pending = pendingOf(link, message);
  link.report("refused", message.method, [], "refused", reason, "client", pending);
  link.refuse(pending, reason, out);
}

/** Refuses a request under an id that some reader takes for that of another pending request. */
function refuseId(link: Link, message: RequestMessage, other: RequestId, out: Output): void {
  const { id, method } = message;
  const reason = "another request has this id, or one that some readers take for it";
  link.report("refused", method, [], "refused", reason, "client", pendingOf(link, message));
  if (other !== id) out.write("client", errorAnswer(id, REFUSED, `Refused by the guard: ${reason}`));
}

function clientNotification(link: Link, message: NotificationMessage, reading: Reading, out: Output): void {
  const { method, params } = message;
  if (method === "notifications/cancelled" && isCancelled(link, params["requestId"])) return;
  if (method === "notifications/roots/list_changed" && link.lock.denied.has("roots")) return;
  link.report("passed", method, [], "passed", undefined, "client");
  link.pass("client", message, reading, out);
}

/** Ends a request that the client cancels. Returns whether the guard held it, so that the server never received it. */
function isCancelled(link: Link, id: unknown): boolean {
  if (typeof id !== "string" && typeof id !== "number") return false;
  const key = idKey(id);
  const held = link.held.get(key);
  link.held.delete(key);
  held?.stop();
  const pending = link.toServer.get(key);
  if (pending) {
    link.subscriptions.delete(pending.id);
    link.cancelled.add(pending);
  }
  return held !== undefined;
}

/** Drops the oldest cancelled request to make room. Returns `false` where there is none. */
function forgetCancelled({ cancelled, toServer }: Link): boolean {
  for (const pending of cancelled) {
    cancelled.delete(pending);
    const key = idKey(pending.id);
    if (toServer.get(key) === pending) return toServer.delete(key);
  }
  return false;
}
