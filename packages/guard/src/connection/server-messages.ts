import {
  type AnswerMessage,
  idKey,
  type MessageParts,
  type NotificationMessage,
  type RequestMessage,
  RPC_ERROR,
} from "@agentprint/mcp";
import type { Link } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import { type Pending, settlePending } from "../link/pending.ts";
import { clientMeta } from "../link/request-meta.ts";
import type { Reading } from "../read/read-message.ts";
import { errorAnswer, REFUSED } from "../refusal.ts";
import { REQUEST_KINDS, readAsked } from "../results/input-requests.ts";

/** Judges a message of the server. */
export function serverMessage(link: Link, message: MessageParts, reading: Reading, out: Output): void {
  switch (message.kind) {
    case "request":
      serverRequest(link, message, reading, out);
      return;
    case "notification":
      serverNotification(link, message, reading, out);
      return;
    case "answer": {
      const isAnswer = settlePending(link.toServer, message, (pending) => {
        link.cancelled.delete(pending);
        if (pending.isOwn === true) pending.settle?.(message, reading, out);
        else serverAnswer(link, pending, message, reading, out);
      });
      if (isAnswer) return;
      if (message.id === undefined) errorWithoutId(link, message, reading, out);
      else link.report("refused", "", [], "refused", "an answer to nothing that was asked");
    }
  }
}

/** Judges the answer to a client request, after removing the requests that the policy denies. */
function serverAnswer(link: Link, pending: Pending, message: AnswerMessage, reading: Reading, out: Output): void {
  const { result, value } = message;
  const asked = readAsked(result ?? value, link.lock.denied);
  if (asked === undefined) {
    pending.settle?.(message, reading, out);
    return;
  }
  const { findings, left, reason } = asked;
  if (reason !== undefined || (left !== result && reading.tolerated.length > 0)) {
    const why = reason ?? "the server asks for what the policy denies";
    link.subscriptions.delete(pending.id);
    const { method, tool, correlation, request } = pending;
    const about = { ...(tool !== undefined && { tool }), ...(request && { request }), reason: why };
    link.events.emit({ kind: "result", from: "server", method, outcome: "refused", findings, correlation, ...about });
    link.refuse(pending, why, out);
    return;
  }
  const isSame = result === undefined || left === result;
  const changed = isSame ? message : { ...message, result: left, value: { ...value, result: left } };
  const shown: Reading = isSame ? reading : { ...reading, isChanged: true, text: undefined };
  pending.settle?.(changed, { ...shown, asked: findings }, out);
  cancelTasks(link, asked.failed, pending, out);
}

/** Judges an error about a message that the server could not read. */
function errorWithoutId(link: Link, message: AnswerMessage, reading: Reading, out: Output): void {
  const asked = readAsked(message.value, link.lock.denied);
  const isHiding = link.hides(message, reading);
  const findings = [...(asked?.findings ?? []), ...(isHiding ? ["guard/hidden-text"] : [])];
  const reason = asked?.reason ?? "an error about a message that the server could not read";
  const outcome = asked?.reason !== undefined ? "refused" : outcomeOf(link, isHiding);
  link.report("passed", "", findings, outcome, reason);
  if (asked?.reason === undefined) link.pass("server", message, reading, out);
}

function outcomeOf({ lock }: Link, isHiding: boolean): "passed" | "changed" {
  return isHiding && lock.screen === "withhold" ? "changed" : "passed";
}

/** Cancels, once each, the server's tasks that the client sees as failed. */
function cancelTasks(link: Link, tasks: readonly string[], pending: Pending | undefined, out: Output): void {
  const { calls, settings, owner } = link;
  // A dry run sends no request of its own.
  if (settings.dryRun || tasks.length === 0) return;
  const now = settings.clock.now();
  for (const taskId of tasks) {
    if (!calls.cancelledTasks.add(JSON.stringify([owner, taskId]), now + settings.limits.askMs, now)) continue;
    const { id, meta } = pending ?? {};
    const own = meta && { _meta: clientMeta({ params: { _meta: meta } }) };
    link.request("tasks/cancel", { taskId, ...own }, id, out, () => undefined);
  }
}

function serverRequest(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id, method } = message;
  const { events, lock, settings, toClient } = link;
  const key = idKey(id);
  const other = toClient.get(key);
  if (other !== undefined || toClient.size >= settings.limits.pending) {
    link.report("refused", method, [], "refused", "another request has this id, or too many wait");
    if (other?.id !== id) out.write("server", errorAnswer(id, REFUSED, "Refused by the guard: the id is in use"));
    return;
  }
  const kind = REQUEST_KINDS.get(method);
  if (kind !== undefined && lock.denied.has(kind)) {
    link.report("request", method, [`guard/${kind}-request`], "refused", "the policy denies such requests");
    out.write("server", errorAnswer(id, RPC_ERROR.methodNotFound, "Method not found"));
    return;
  }
  const isHiding = link.hides(message, reading);
  if (isHiding && lock.screen === "withhold") {
    link.report("request", method, ["guard/hidden-text"], "refused", "the request has hidden text");
    out.write("server", errorAnswer(id, REFUSED, "Refused by the guard: the request has hidden text"));
    return;
  }
  const correlation = events.isRecorded ? events.nextId() : "";
  const findings = isHiding ? ["guard/hidden-text"] : [];
  link.report(kind ? "request" : "passed", method, findings, "passed", undefined, "server", { correlation });
  toClient.set(key, { id, method, era: "legacy", correlation });
  link.pass("server", message, reading, out);
}

function serverNotification(link: Link, message: NotificationMessage, reading: Reading, out: Output): void {
  const { method, params } = message;
  const { lists, lock } = link;
  if (method.endsWith("/list_changed")) lists.invalidate(method);
  if (method === "notifications/cancelled") {
    const id = params["requestId"];
    const key = typeof id === "string" || typeof id === "number" ? idKey(id) : undefined;
    // The client never received a request that the guard refused.
    if (key === undefined || !link.toClient.has(key)) return;
    link.toClient.delete(key);
  }
  const asked = readAsked(params, lock.denied);
  const isHiding = link.hides(message, reading);
  const findings = [...(asked?.findings ?? []), ...(isHiding ? ["guard/hidden-text"] : [])];
  if (asked?.reason !== undefined) {
    link.report("passed", method, findings, "refused", asked.reason);
    return;
  }
  const left = asked?.left ?? params;
  if (left === params) {
    link.report("passed", method, findings, outcomeOf(link, isHiding));
    link.pass("server", message, reading, out);
    return;
  }
  link.report("passed", method, findings, "changed");
  const value = { ...message.value, params: left };
  const changed: Reading = { ...reading, isChanged: true, text: undefined };
  link.pass("server", { ...message, params: left, value }, changed, out);
  cancelTasks(link, asked?.failed ?? [], listening(link), out);
}

/** Returns the client's subscription request, whose metadata a notification lacks. */
function listening({ toServer }: Link): Pending | undefined {
  for (const pending of toServer.values()) if (pending.method === "subscriptions/listen") return pending;
  return undefined;
}
