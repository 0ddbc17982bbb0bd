import { idKey } from "@agentprint/mcp";
import { ProgramFault } from "../program-fault.ts";
import { NOT_JUDGED } from "../refusal.ts";
import type { Link, Pending, Request } from "./link.ts";
import type { Output } from "./output.ts";

/**
 * Continues a held request in a later step. If that fails, refuses the request or, if `isOpen`, forwards it unchanged.
 */
export function resume(exchange: Request, out: Output, isOpen: boolean, goOn: () => void): void {
  exchange.out = out;
  try {
    goOn();
  } catch (error) {
    const { link, pending } = exchange;
    link.toServer.delete(idKey(pending.id));
    if (!(error instanceof ProgramFault)) {
      exchange.refuse(NOT_JUDGED);
      exchange.report({ kind: "refused", outcome: "refused", reason: NOT_JUDGED });
      return;
    }
    const { method, tool } = pending;
    link.events.fault("client", error, { method, tool, about: pending, isRefused: !isOpen });
    if (!isOpen) {
      exchange.refuse("the guard failed");
      return;
    }
    expectUnjudged(link, pending);
    exchange.pass();
  }
}

/** Expects an answer, which will continue without being judged. */
export function expectUnjudged({ toServer }: Link, pending: Pending): void {
  toServer.set(idKey(pending.id), { ...pending, settle: (answer) => answer.pass() });
}
