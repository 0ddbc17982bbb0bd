import { errorAnswer, METHOD_NOT_FOUND, REFUSED } from "../calls/refusal.ts";
import type { NotificationMessage, RequestMessage, RpcMessage } from "../read/message-shape.ts";
import type { Reading } from "../read/read-message.ts";
import { idKey } from "../read/request-id.ts";
import { hasHiddenText } from "../results/screen.ts";
import type { Link } from "./link.ts";
import type { Output } from "./output.ts";
import { settlePending } from "./pending.ts";

/** The capability of a client that allows a request of a server, by the method. */
export const REQUEST_KINDS: ReadonlyMap<string, string> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
]);

/** Judges a message of the server. */
export function serverMessage(link: Link, message: RpcMessage, reading: Reading, out: Output): void {
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
        pending.settle?.(message, reading, out);
      });
      if (isAnswer) return;
      if (message.id === undefined) {
        link.told("passed", "", [], "passed", "an error about a message that the server could not read");
        link.pass("server", message, reading, out);
      } else link.told("refused", "", [], "refused", "an answer to nothing that was asked");
    }
  }
}

function serverRequest(link: Link, message: RequestMessage, reading: Reading, out: Output): void {
  const { id, method } = message;
  const { core, toClient } = link;
  const key = idKey(id);
  const other = toClient.get(key);
  if (other !== undefined || toClient.size >= core.limits.pending) {
    link.told("refused", method, [], "refused", "another request has this id, or too many wait");
    if (other?.id !== id) out.write("server", errorAnswer(id, REFUSED, "Refused by the guard: the id is in use"));
    return;
  }
  const kind = REQUEST_KINDS.get(method);
  if (kind !== undefined && core.denied.has(kind)) {
    link.told("request", method, [`guard/${kind}-request`], "refused", "the policy denies such requests");
    out.write("server", errorAnswer(id, METHOD_NOT_FOUND, "Method not found"));
    return;
  }
  const isHiding = isHidden(link, message);
  if (isHiding && core.screen === "withhold") {
    link.told("request", method, ["guard/hidden-text"], "refused", "the request has hidden text");
    out.write("server", errorAnswer(id, REFUSED, "Refused by the guard: the request has hidden text"));
    return;
  }
  const correlation = core.isRecorded ? core.nextId() : "";
  const findings = isHiding ? ["guard/hidden-text"] : [];
  link.told(kind ? "request" : "passed", method, findings, "passed", undefined, "server", { correlation });
  toClient.set(key, { id, method, era: "legacy", correlation });
  link.pass("server", message, reading, out);
}

function serverNotification(link: Link, message: NotificationMessage, reading: Reading, out: Output): void {
  const { method, params } = message;
  const { core } = link;
  if (method.endsWith("/list_changed")) core.invalidate(method);
  if (method === "notifications/cancelled") {
    const id = params["requestId"];
    const key = typeof id === "string" || typeof id === "number" ? idKey(id) : undefined;
    // Of a request that was refused, the client never heard.
    if (key === undefined || !link.toClient.has(key)) return;
    link.toClient.delete(key);
  }
  const isHiding = isHidden(link, message);
  const isWithheld = isHiding && core.screen === "withhold";
  const findings = isHiding ? ["guard/hidden-text"] : [];
  link.told("passed", method, findings, isWithheld ? "refused" : "passed");
  if (!isWithheld) link.pass("server", message, reading, out);
}

function isHidden({ core }: Link, { value }: RpcMessage): boolean {
  return core.screen !== "off" && hasHiddenText(value);
}
