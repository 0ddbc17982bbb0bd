import { idKey, isEchoOf, type NotificationMessage, RPC_ERROR } from "@agentprint/mcp";
import { clientMeta } from "../link/client-identity.ts";
import type { Answer, Exchange, Link, Pending, Request } from "../link/link.ts";
import { settlePending } from "../link/pending.ts";
import { isExact } from "../read/read-message.ts";
import { errorAnswer, REFUSED } from "../refusal.ts";
import { REQUEST_KINDS, readAsked } from "../results/input-requests.ts";

/** Judges a message from the server. */
export function serverMessage(exchange: Exchange): void {
  switch (exchange.message.kind) {
    case "request":
      serverRequest(exchange as Request);
      return;
    case "notification":
      serverNotification(exchange as Exchange<NotificationMessage>);
      return;
    case "answer":
      serverAnswer(exchange as Answer);
  }
}

function serverAnswer(exchange: Answer): void {
  const { link, message } = exchange;
  const isAnswer = settlePending(link.toServer, message, link.isStdio ? isEchoOf : Object.is, (pending) => {
    link.cancelled.delete(pending);
    exchange.pending = pending;
    if (pending.isOwn === true) pending.settle?.(exchange);
    else answerClient(exchange);
  });
  if (isAnswer) return;
  if (message.id === undefined) errorWithoutId(exchange);
  else exchange.report({ kind: "refused", outcome: "refused", reason: "it answers no request" });
}

/** Judges the answer to a client's request, after removing the requests that the policy denies. */
function answerClient(exchange: Answer): void {
  const { link, message, reading, pending } = exchange;
  const { result, value } = message;
  const asked = readAsked(result ?? value, link.lock.denied);
  if (asked === undefined) {
    pending.settle?.(exchange);
    return;
  }
  const { findings, left, failed } = asked;
  const isChanged = result !== undefined && left !== result;
  // A value on which readers differ cannot be serialized again.
  const isUnwritable = left !== result && !isExact(reading);
  const reason = asked.reason ?? (isUnwritable ? "the server requests something that the policy denies" : undefined);
  if (reason !== undefined) {
    link.subscriptions.delete(pending.id);
    exchange.report({ kind: "result", outcome: "refused", findings, reason, tool: pending.tool });
    exchange.refuse(reason);
    return;
  }
  const shown = isChanged
    ? exchange.changed({ ...message, result: left, value: { ...value, result: left } })
    : exchange;
  shown.asked = findings;
  pending.settle?.(shown);
  cancelTasks(exchange, failed, pending);
}

/** Judges an error about a message that the server could not read. */
function errorWithoutId(exchange: Exchange): void {
  const { link, message } = exchange;
  const asked = readAsked(message.value, link.lock.denied);
  const isHiding = exchange.hides();
  const findings = [...(asked?.findings ?? []), ...(isHiding ? ["guard/hidden-text"] : [])];
  const reason = asked?.reason ?? "an error about a message that the server could not read";
  const outcome = asked?.reason !== undefined ? "refused" : outcomeOf(link, isHiding);
  exchange.report({ kind: "passed", outcome, findings, reason });
  if (asked?.reason === undefined) exchange.pass();
}

function outcomeOf({ lock }: Link, isHiding: boolean): "passed" | "changed" {
  return isHiding && lock.screen === "withhold" ? "changed" : "passed";
}

/** Cancels, only once, each of the server's tasks that the client sees as failed. */
function cancelTasks({ link, out }: Exchange, tasks: readonly string[], pending: Pending | undefined): void {
  const { calls, settings, owner } = link;
  // In a dry run, the guard sends no requests of its own.
  if (settings.dryRun || tasks.length === 0) return;
  const now = settings.clock.now();
  for (const taskId of tasks) {
    if (!calls.cancelledTasks.add(JSON.stringify([owner, taskId]), now + settings.limits.askMs, now)) continue;
    const { id: because, meta } = pending ?? {};
    const own = meta && { _meta: clientMeta({ params: { _meta: meta } }) };
    link.request({ method: "tasks/cancel", params: { taskId, ...own }, because }, out, () => undefined);
  }
}

function serverRequest(exchange: Request): void {
  const { link, message, out, pending } = exchange;
  const { id, method } = message;
  const { lock, settings, toClient } = link;
  const key = idKey(id);
  const other = toClient.get(key);
  if (other !== undefined || toClient.size >= settings.limits.pending) {
    exchange.report({ kind: "refused", outcome: "refused", reason: "another request has this id, or too many wait" });
    if (other?.id !== id) link.write(out, "server", errorAnswer(id, REFUSED, "Refused by the guard: the id is in use"));
    return;
  }
  const kind = REQUEST_KINDS.get(method);
  if (kind !== undefined && lock.denied.has(kind)) {
    const findings = [`guard/${kind}-request`];
    exchange.report({ kind: "request", outcome: "refused", findings, reason: "the policy denies such requests" });
    link.write(out, "server", errorAnswer(id, RPC_ERROR.methodNotFound, "Method not found"));
    return;
  }
  const isHiding = exchange.hides();
  const findings = isHiding ? ["guard/hidden-text"] : [];
  if (isHiding && lock.screen === "withhold") {
    const reason = "the request has hidden text";
    exchange.report({ kind: "request", outcome: "refused", findings, reason });
    link.write(out, "server", errorAnswer(id, REFUSED, `Refused by the guard: ${reason}`));
    return;
  }
  exchange.report({ kind: kind ? "request" : "passed", outcome: "passed", findings });
  toClient.set(key, pending);
  exchange.pass();
}

function serverNotification(exchange: Exchange<NotificationMessage>): void {
  const { link, message } = exchange;
  const { method, params } = message;
  const { lists, lock } = link;
  if (method.endsWith("/list_changed")) lists.invalidate(method);
  if (method === "notifications/cancelled") {
    const id = params["requestId"];
    const key = typeof id === "string" || typeof id === "number" ? idKey(id) : undefined;
    // The client never received a request that the guard had refused.
    if (key === undefined || !link.toClient.has(key)) return;
    link.toClient.delete(key);
  }
  const asked = readAsked(params, lock.denied);
  const isHiding = exchange.hides();
  const findings = [...(asked?.findings ?? []), ...(isHiding ? ["guard/hidden-text"] : [])];
  if (asked?.reason !== undefined) {
    exchange.report({ kind: "passed", outcome: "refused", findings, reason: asked.reason });
    return;
  }
  const left = asked?.left ?? params;
  if (left === params) {
    exchange.report({ kind: "passed", outcome: outcomeOf(link, isHiding), findings });
    exchange.pass();
    return;
  }
  exchange.report({ kind: "passed", outcome: "changed", findings });
  exchange.changed({ ...message, params: left, value: { ...message.value, params: left } }).pass();
  cancelTasks(exchange, asked?.failed ?? [], listening(link));
}

/** Returns the client's subscription request, because a notification does not have its metadata. */
function listening({ toServer }: Link): Pending | undefined {
  for (const pending of toServer.values()) if (pending.method === "subscriptions/listen") return pending;
  return undefined;
}
