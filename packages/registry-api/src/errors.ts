import { escapeText } from "@agentprint/canonical-json/text";
import type { Problem } from "./answers/answers.ts";

/** Why a {@link RegistryClientError} was thrown. */
export type RegistryClientErrorCode =
  /** An option of the client is wrong, such as an address that would show the token. Correct the option. */
  | "invalid-option"
  /** The registry did not answer. Check its address and the network, then try again. */
  | "unreachable"
  /** The registry answered with an error, which `problem` holds. Correct the request as its detail says. */
  | "refused"
  /** The answer is not one that a registry gives. Check the address, and that a proxy does not change answers. */
  | "invalid-answer"
  /**
   * The history is shorter than the client's stored one. Ask the operator before you accept the older state.
   */
  | "rolled-back"
  /** The history differs from the client's stored one. Ask the operator before you accept the new history. */
  | "forked"
  /** The agent changes faster than the client can publish or read its history. Publish from one place at a time, or try again later. */
  | "conflict"
  /** The signal ended the request. Start it again if it is still wanted. */
  | "ended";

/** The one error class of the client. */
export class RegistryClientError extends Error {
  override readonly name = "RegistryClientError";
  readonly code: RegistryClientErrorCode;
  /** The registry's problem document, if it `refused`. */
  readonly problem: Problem | undefined;
  /** The HTTP status of the answer, if the answer was an error. */
  readonly status: number | undefined;

  constructor(
    code: RegistryClientErrorCode,
    message: string,
    details: { readonly problem?: Problem | undefined; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.problem = details.problem;
    this.status = details.status;
  }
}
