import { hashCanonical } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, idKey, type RequestMessage } from "@agentprint/mcp";
import { canAskByForm, capabilitiesIn } from "../link/client-capabilities.ts";
import type { Link, Waiting } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import type { Pending } from "../link/pending.ts";
import { ofProgram } from "../program-fault.ts";
import { answer } from "../refusal.ts";

/** The answer to a question about a call: consent with the parameters to send, or a refusal with its reason. */
export type Agreement =
  | { readonly agreed: true; readonly params: JsonObject }
  | { readonly agreed: false; readonly reason: string };

/** The key of the guard's own request among those of a result, and of the field of its form. */
const [REQUEST_KEY, FIELD] = ["guard", "allow"];
const DECLINED: Agreement = { agreed: false, reason: "nobody agreed to the call" };

/** A call that needs consent, and the continuation that takes the answer. */
interface Question extends Waiting {
  readonly link: Link;
  readonly reason: string;
  /** Continues the call. `isLate` says that the answer came later, so that the list may have changed meanwhile. */
  readonly goOn: (agreement: Agreement, out: Output, isLate?: boolean) => void;
}

/**
 * Asks for consent to a call: the user of the client by a form, else the callback of the guard. Refuses the call where
 * neither can be asked. In the modern era the form is part of a result, and the client repeats the call with an answer.
 */
export function askAbout(question: Question, out: Output): void {
  const { link, message, pending, reason, goOn } = question;
  const { calls, events, lock } = link;
  const { params } = message;
  const { presented } = pending;
  const isModern = pending.era === "modern";
  const sealed = params["requestState"];
  if (calls.seal.isOwn(sealed)) {
    goOn(answered(link, message, presented, sealed), out);
    return;
  }
  if (isAgreed(link, message, presented)) {
    goOn({ agreed: true, params }, out);
    return;
  }
  const capabilities = isModern ? (capabilitiesIn(message) ?? {}) : link.clientCapabilities;
  events.emit({ ...eventOf(pending, "waiting"), reason });
  if (canAskByForm(capabilities)) {
    const form = formOf(lock.server, nameIn(params), reason);
    if (isModern) askByResult(question, form, out);
    else askByRequest(question, form, out);
    return;
  }
  if (calls.ask) {
    askByCallback(question, out);
    return;
  }
  goOn({ agreed: false, reason: "somebody has to agree to the call, and nobody can be asked" }, out);
}

function eventOf({ method, tool, correlation, request }: Pending, outcome: "waiting" | "passed" | "refused") {
  const named = { ...(tool !== undefined && { tool }), ...(request && { request }) };
  return { kind: "asked", from: "guard", method, ...named, outcome, correlation } as const;
}

function formOf(server: string, tool: string, reason: string): JsonObject {
  return {
    message: `Shall ${JSON.stringify(tool)} of the server ${JSON.stringify(server)} be called? Reason: ${reason}.`,
    requestedSchema: {
      type: "object",
      properties: { [FIELD as string]: { type: "boolean", title: "Allow this call", default: false } },
      required: [FIELD as string],
    },
  };
}

/** Returns the name of the called tool. Calls without a name are refused earlier. */
function nameIn({ name }: JsonObject): string {
  return typeof name === "string" ? name : "";
}

function isYes(result: JsonValue | undefined): boolean {
  if (!isJsonObject(result) || result["action"] !== "accept") return false;
  const { content } = result;
  return isJsonObject(content) && content[FIELD as string] === true;
}

/** Asks with a request from the guard to the client, as the legacy era does. */
function askByRequest(question: Question, form: JsonObject, out: Output): void {
  const { link, message, pending } = question;
  const id = link.events.nextId();
  const end = hold(question, out, () => link.toClient.delete(idKey(id)));
  link.toClient.set(idKey(id), {
    id,
    method: "elicitation/create",
    era: "legacy",
    correlation: pending.correlation,
    isOwn: true,
    settle: (said: AnswerMessage, _reading, next) =>
      end(isYes(said.result) ? { agreed: true, params: message.params } : DECLINED, next),
    fail: (next) => end(DECLINED, next),
  });
  out.write("client", { jsonrpc: "2.0", id, method: "elicitation/create", params: form });
}

function askByCallback(question: Question, out: Output): void {
  const { link, message, reason, goOn } = question;
  const { calls, lock } = link;
  const { params } = message;
  const said = ofProgram(() => calls.ask?.({ server: lock.server, tool: nameIn(params), reason }));
  const agreement = (isAgreed: unknown): Agreement => (isAgreed === true ? { agreed: true, params } : DECLINED);
  if (typeof said !== "object") {
    goOn(agreement(said), out);
    return;
  }
  const end = hold(question, out, () => {});
  said.then(
    (isAgreed) => link.later((next) => end(agreement(isAgreed), next)),
    () => link.later((next) => end(DECLINED, next)),
  );
}

/** Holds a call until an answer arrives or the time is over. Returns the function that ends the wait, once. */
function hold(question: Question, out: Output, forget: () => void): (agreement: Agreement, out: Output) => void {
  const { link, message, pending, goOn } = question;
  const { events, settings, held } = link;
  const key = idKey(message.id);
  const stop = settings.clock.after(settings.limits.askMs, () =>
    link.later((next) => end({ agreed: false, reason: "nobody answered in time" }, next)),
  );
  const end = (agreement: Agreement, next: Output): void => {
    if (!held.delete(key)) return;
    stop();
    forget();
    const answer = (): void => {
      events.emit(eventOf(pending, agreement.agreed ? "passed" : "refused"));
      goOn(agreement, next, true);
    };
    link.orRefuse(question, next, answer, settings.failOpen && agreement.agreed);
  };
  const giveUp = () => {
    held.delete(key);
    stop();
    forget();
  };
  held.set(key, {
    ...message,
    refuse: (reason, next) => {
      giveUp();
      link.refuse(pending, reason, next);
    },
    stop: giveUp,
  });
  out.action = "hold";
  return end;
}

/**
 * Asks with a result, as the modern era does. The client repeats the call with the answer and the sealed state: the
 * digest of the call that the answer is for, and the state that the server itself gave the client.
 */
function askByResult({ link, message, pending }: Question, form: JsonObject, out: Output): void {
  const { calls, events, settings } = link;
  const { requestState, inputResponses } = message.params;
  const requestStateOfGuard = calls.seal.seal({
    call: digestOfCall(link, message, pending.presented),
    until: settings.clock.now() + settings.limits.askMs,
    once: events.nextId(),
    ...(requestState !== undefined && { requestState }),
    ...(inputResponses !== undefined && { inputResponses }),
  });
  const inputRequests = { [REQUEST_KEY as string]: { method: "elicitation/create", params: form } };
  out.write(
    "client",
    answer(message.id, { resultType: "input_required", inputRequests, requestState: requestStateOfGuard }),
  );
}

/** Returns the client's answer to the question that the guard asked in a result. */
function answered(link: Link, message: RequestMessage, presented: string | undefined, sealed: string): Agreement {
  const { calls, settings } = link;
  const content = calls.seal.open(sealed);
  const { until, once, call } = content ?? {};
  if (typeof until !== "number" || typeof once !== "string" || call !== digestOfCall(link, message, presented)) {
    return { agreed: false, reason: "the answer is not to this call" };
  }
  if (settings.clock.now() > until) return { agreed: false, reason: "nobody answered in time" };
  if (!calls.used.add(once, until, settings.clock.now())) {
    return { agreed: false, reason: "the answer was used before" };
  }
  const { requestState: _state, inputResponses, ...rest } = message.params;
  if (!isYes(isJsonObject(inputResponses) ? inputResponses[REQUEST_KEY as string] : undefined)) return DECLINED;
  const { requestState, inputResponses: responses } = content ?? {};
  return {
    agreed: true,
    params: {
      ...rest,
      ...(requestState !== undefined && { requestState }),
      ...(responses !== undefined && { inputResponses: responses }),
    },
  };
}

/** Remembers the consent to a call that the server answers with a question: the client repeats it with this state. */
export function rememberAgreed(
  link: Link,
  message: RequestMessage,
  presented: string | undefined,
  result: JsonObject | undefined,
): void {
  const state = result?.["resultType"] === "input_required" ? result["requestState"] : undefined;
  if (typeof state !== "string") return;
  const { calls, settings } = link;
  const now = settings.clock.now();
  calls.agreed.add(digestOfCall(link, message, presented, state), now + settings.limits.askMs, now);
}

function isAgreed(link: Link, message: RequestMessage, presented: string | undefined): boolean {
  const { requestState } = message.params;
  if (typeof requestState !== "string") return false;
  const { calls, settings } = link;
  return calls.agreed.has(digestOfCall(link, message, presented, requestState), settings.clock.now());
}

function digestOfCall(link: Link, message: RequestMessage, presented: string | undefined, state = ""): string {
  const { name = null, arguments: given = {} } = message.params;
  const { digest } = link.keyOf(message, presented);
  return hashCanonical([digest, name, given, state], { profile: "ecmascript" });
}
