import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { idKey, listOfMethod, type NotificationMessage } from "@agentprint/mcp";
import { callTool } from "../calls/call-tool.ts";
import { readItem } from "../calls/read-item.ts";
import type { Answer, Exchange, Link, Request } from "../link/link.ts";
import { settlePending } from "../link/pending.ts";
import { errorAnswer, REFUSED } from "../refusal.ts";
import { judgeResult } from "../results/judge-result.ts";
import { requestGreeting, requestPage } from "../verify/ask-and-judge.ts";

/** Judges a message from the client. */
export function clientMessage(exchange: Exchange): void {
  switch (exchange.message.kind) {
    case "request":
      clientRequest(exchange as Request);
      return;
    case "notification":
      clientNotification(exchange as Exchange<NotificationMessage>);
      return;
    case "answer":
      clientAnswer(exchange as Answer);
  }
}

function clientAnswer(exchange: Answer): void {
  const isAnswer = settlePending(exchange.link.toClient, exchange.message, Object.is, (pending) => {
    exchange.pending = pending;
    if (pending.settle) pending.settle(exchange);
    else exchange.pass();
  });
  if (!isAnswer) exchange.report({ kind: "refused", outcome: "refused", reason: "it answers no request" });
}

function clientRequest(exchange: Request): void {
  const { link, message } = exchange;
  const { settings, toServer, held } = link;
  const key = idKey(message.id);
  const other = toServer.get(key) ?? held.get(key);
  if (other !== undefined) {
    const reason = "another request has this id, or one that some readers confuse with it";
    exchange.report({ kind: "refused", outcome: "refused", reason });
    if (other.id === message.id) return;
    link.write(exchange.out, "client", errorAnswer(message.id, REFUSED, `Refused by the guard: ${reason}`));
    return;
  }
  if (toServer.size >= settings.limits.pending && !forgetCancelled(link)) {
    refuseAtOnce(exchange, "too many requests are waiting for their answers");
    return;
  }
  try {
    judgeRequest(exchange);
  } catch (error) {
    toServer.delete(key);
    held.get(key)?.stop();
    held.delete(key);
    throw error;
  }
}

function judgeRequest(exchange: Request): void {
  const { link, message } = exchange;
  const { method, params } = message;
  const { requestState } = params;
  if (requestState !== undefined && method !== "tools/call" && link.calls.seal.isOwn(requestState)) {
    refuseAtOnce(exchange, "the guard asked nothing about this");
    return;
  }
  const kind = listOfMethod(method);
  if (kind) {
    requestPage(exchange, kind);
    return;
  }
  switch (method) {
    case "initialize":
    case "server/discover":
      requestGreeting(exchange);
      return;
    case "tools/call":
      callTool(exchange);
      return;
    case "prompts/get":
    case "resources/read":
      readItem(exchange);
      return;
    default:
      requestOther(exchange);
  }
}

/** Sends a request with any other method to the server. */
function requestOther(exchange: Request): void {
  const { link, message, pending } = exchange;
  const { notifications, taskId } = message.params;
  if (message.method === "subscriptions/listen" && isJsonObject(notifications)) {
    link.subscriptions.set(message.id, notifications);
  }
  const owner = taskId === undefined ? undefined : link.identity.keyOf(message, pending.presented).digest;
  const verdict = owner === undefined ? undefined : link.calls.tasks.get(owner, taskId);
  if (verdict) exchange.pending = { ...pending, tool: verdict.name };
  exchange.report({ kind: "passed", outcome: "passed" });
  exchange.forward((answer) => {
    link.subscriptions.delete(message.id);
    judgeResult(answer, verdict);
  });
}

/** Refuses a request without judging it. */
function refuseAtOnce(exchange: Request, reason: string): void {
  exchange.report({ kind: "refused", outcome: "refused", reason });
  exchange.refuse(reason);
}

function clientNotification(exchange: Exchange<NotificationMessage>): void {
  const { link, message } = exchange;
  const { method, params } = message;
  if (method === "notifications/cancelled" && isCancelled(link, params["requestId"])) return;
  if (method === "notifications/roots/list_changed" && link.lock.denied.has("roots")) return;
  exchange.report({ kind: "passed", outcome: "passed" });
  exchange.pass();
}

/**
 * Ends a request that the client cancels. Returns whether the guard was holding the request, so that the server never
 * received it.
 */
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

/** Drops the oldest cancelled request to make room. Returns `false` if there is no such request. */
function forgetCancelled({ cancelled, toServer }: Link): boolean {
  for (const pending of cancelled) {
    cancelled.delete(pending);
    const key = idKey(pending.id);
    if (toServer.get(key) === pending) return toServer.delete(key);
  }
  return false;
}
