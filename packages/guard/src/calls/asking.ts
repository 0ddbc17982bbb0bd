import { hashCanonical } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { idKey } from "@agentprint/mcp";
import { canAskByForm, capabilitiesIn } from "../link/client-capabilities.ts";
import type { Request } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import { resume } from "../link/resume.ts";
import { ofProgram } from "../program-fault.ts";
import { answer } from "../refusal.ts";

/** The answer to a question about a call: consent with the parameters to send, or a refusal with its reason. */
export type Agreement =
  | { readonly agreed: true; readonly params: JsonObject }
  | { readonly agreed: false; readonly reason: string };

/** The key of the guard's own request among a result's requests, and the name of its form's field. */
const [REQUEST_KEY, FIELD] = ["guard", "allow"];
const DECLINED: Agreement = { agreed: false, reason: "no one agreed to the call" };

/** A call that needs consent, and the continuation that receives the answer. */
interface Question {
  readonly exchange: Request;
  readonly reason: string;
  /** Continues the call. `isLate` means that the answer came later, so the list may have changed in the meantime. */
  readonly goOn: (agreement: Agreement, isLate?: boolean) => void;
}

/**
 * Asks for consent to a call: the client's user through a form, otherwise the guard's callback. Refuses the call if no
 * one can be asked. In the modern era, the form is part of a result, and the client repeats the call with an answer.
 */
export function askAbout(question: Question): void {
  const { exchange, reason, goOn } = question;
  const { link, message, pending } = exchange;
  const { params } = message;
  const isModern = pending.era === "modern";
  const sealed = params["requestState"];
  if (link.calls.seal.isOwn(sealed)) {
    goOn(answered(exchange, sealed));
    return;
  }
  if (isAgreed(exchange)) {
    goOn({ agreed: true, params });
    return;
  }
  const capabilities = isModern ? (capabilitiesIn(message) ?? {}) : link.clientCapabilities;
  reportAsked(exchange, "waiting", reason);
  if (canAskByForm(capabilities)) {
    const form = formOf(link.lock.server, nameIn(params), reason);
    if (isModern) askByResult(exchange, form);
    else askByRequest(question, form);
    return;
  }
  if (link.calls.ask) askByCallback(question);
  else goOn({ agreed: false, reason: "a person has to agree to the call, and no one can be asked" });
}

function reportAsked({ link, pending }: Request, outcome: "waiting" | "passed" | "refused", reason?: string): void {
  const { method, tool } = pending;
  link.events.emit({ kind: "asked", from: "guard", method, tool, outcome, reason, about: pending });
}

function formOf(server: string, tool: string, reason: string): JsonObject {
  return {
    message: `Call ${JSON.stringify(tool)} of the server ${JSON.stringify(server)}? Reason: ${reason}.`,
    requestedSchema: {
      type: "object",
      properties: { [FIELD as string]: { type: "boolean", title: "Allow this call", default: false } },
      required: [FIELD as string],
    },
  };
}

/** Returns the name of the called tool. Calls without a name have already been refused. */
function nameIn({ name }: JsonObject): string {
  return typeof name === "string" ? name : "";
}

function isYes(result: JsonValue | undefined): boolean {
  if (!isJsonObject(result) || result["action"] !== "accept") return false;
  const { content } = result;
  return isJsonObject(content) && content[FIELD as string] === true;
}

/** Asks with a request from the guard to the client, as in the legacy era. */
function askByRequest(question: Question, form: JsonObject): void {
  const { exchange } = question;
  const { link, message, pending, out } = exchange;
  const id = link.events.nextId();
  const end = hold(question, () => link.toClient.delete(idKey(id)));
  link.toClient.set(idKey(id), {
    id,
    method: "elicitation/create",
    era: "legacy",
    correlation: pending.correlation,
    isOwn: true,
    settle: (answer) =>
      end(isYes(answer.message.result) ? { agreed: true, params: message.params } : DECLINED, answer.out),
    fail: (next) => end(DECLINED, next),
  });
  link.write(out, "client", { jsonrpc: "2.0", id, method: "elicitation/create", params: form });
}

function askByCallback(question: Question): void {
  const { exchange, reason, goOn } = question;
  const { link, message } = exchange;
  const { calls, lock } = link;
  const { params } = message;
  const said = ofProgram(() => calls.ask?.({ server: lock.server, tool: nameIn(params), reason }));
  const agreement = (isAgreed: unknown): Agreement => (isAgreed === true ? { agreed: true, params } : DECLINED);
  if (typeof said !== "object") {
    goOn(agreement(said));
    return;
  }
  const end = hold(question, () => {});
  said.then(
    (isAgreed) => link.later((out) => end(agreement(isAgreed), out)),
    () => link.later((out) => end(DECLINED, out)),
  );
}

/**
 * Holds a call until an answer arrives or the time limit passes. Returns a function that ends the wait; it works only
 * once.
 */
function hold({ exchange, goOn }: Question, forget: () => void): (agreement: Agreement, out: Output) => void {
  const { link, message, pending } = exchange;
  const { settings, held } = link;
  const key = idKey(message.id);
  const stop = settings.clock.after(settings.limits.askMs, () =>
    link.later((out) => end({ agreed: false, reason: "nobody answered in time" }, out)),
  );
  const end = (agreement: Agreement, out: Output): void => {
    if (!held.delete(key)) return;
    stop();
    forget();
    resume(exchange, out, settings.failOpen && agreement.agreed, () => {
      reportAsked(exchange, agreement.agreed ? "passed" : "refused");
      goOn(agreement, true);
    });
  };
  const giveUp = () => {
    held.delete(key);
    stop();
    forget();
  };
  held.set(key, {
    id: message.id,
    refuse: (reason, out) => {
      giveUp();
      link.refuse(pending, reason, out);
    },
    stop: giveUp,
  });
  exchange.out.action = "hold";
  return end;
}

/**
 * Asks with a result, as in the modern era. The client repeats the call with the answer and the sealed state, which
 * contains the digest of the call that the answer is for, and the state that the server itself gave the client.
 */
function askByResult(exchange: Request, form: JsonObject): void {
  const { link, message, out } = exchange;
  const { calls, events, settings } = link;
  const { requestState, inputResponses } = message.params;
  const requestStateOfGuard = calls.seal.seal({
    call: digestOfCall(exchange),
    until: settings.clock.now() + settings.limits.askMs,
    once: events.nextId(),
    ...(requestState !== undefined && { requestState }),
    ...(inputResponses !== undefined && { inputResponses }),
  });
  const inputRequests = { [REQUEST_KEY as string]: { method: "elicitation/create", params: form } };
  const asked = { resultType: "input_required", inputRequests, requestState: requestStateOfGuard };
  link.write(out, "client", answer(message.id, asked));
}

/** Returns the client's answer to the question that the guard asked in a result. */
function answered(exchange: Request, sealed: string): Agreement {
  const { calls, settings } = exchange.link;
  const content = calls.seal.open(sealed);
  const { until, once, call } = content ?? {};
  if (typeof until !== "number" || typeof once !== "string" || call !== digestOfCall(exchange)) {
    return { agreed: false, reason: "the answer does not belong to this call" };
  }
  if (settings.clock.now() > until) return { agreed: false, reason: "nobody answered in time" };
  if (!calls.used.add(once, until, settings.clock.now())) {
    return { agreed: false, reason: "the answer was used before" };
  }
  const { requestState: _state, inputResponses, ...rest } = exchange.message.params;
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

/**
 * Remembers the consent to a call that the server answers with a question, because the client repeats the call with
 * this state.
 */
export function rememberAgreed(exchange: Request, result: JsonObject | undefined): void {
  const state = result?.["resultType"] === "input_required" ? result["requestState"] : undefined;
  if (typeof state !== "string") return;
  const { calls, settings } = exchange.link;
  const now = settings.clock.now();
  calls.agreed.add(digestOfCall(exchange, state), now + settings.limits.askMs, now);
}

function isAgreed(exchange: Request): boolean {
  const { requestState } = exchange.message.params;
  if (typeof requestState !== "string") return false;
  const { calls, settings } = exchange.link;
  return calls.agreed.has(digestOfCall(exchange, requestState), settings.clock.now());
}

function digestOfCall({ link, message, pending }: Request, state = ""): string {
  const { name = null, arguments: given = {} } = message.params;
  const { digest } = link.identity.keyOf(message, pending.presented);
  return hashCanonical([digest, name, given, state], { profile: "ecmascript" });
}
