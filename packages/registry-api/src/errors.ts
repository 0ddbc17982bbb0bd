import { escapeText } from "@agentprint/canonical-json/text";
import type { Problem } from "./answers/answers.ts";

/**
 * Why a {@link RegistryClientError} was thrown: an option that is wrong, a registry that does not answer, an answer that is
 * an error or is not what a registry answers, a history that is shorter (`rolled-back`) or another one (`forked`) than the client
 * remembers, an agent that changes faster than it can be published, or a signal.
 */
export type RegistryClientErrorCode =
  | "invalid-option"
  | "unreachable"
  | "refused"
  | "invalid-answer"
  | "rolled-back"
  | "forked"
  | "conflict"
  | "ended";

/** The one error class of the client. */
export class RegistryClientError extends Error {
  override readonly name = "RegistryClientError";
  readonly code: RegistryClientErrorCode;
  /** The problem document of the registry, where it `refused`. */
  readonly problem: Problem | undefined;

  constructor(
    code: RegistryClientErrorCode,
    message: string,
    details: { readonly problem?: Problem | undefined; readonly cause?: unknown } = {},
  ) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.problem = details.problem;
  }
}
