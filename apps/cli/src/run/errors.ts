import type { ClientConfigError } from "@agentprint/client-configs";
import { type ErrorDetails, ExplainedError as Explained } from "@agentprint/findings";
import type { CheckFailure } from "@agentprint/mcp";
import type { AuthError } from "@agentprint/mcp-auth";
import type { VisitError } from "@agentprint/mcp-visit";
import packageJson from "../../package.json" with { type: "json" };

/** The code of a {@link CliError}. */
export type CliErrorCode =
  /**
   * The command line has a wrong or missing argument or option. Correct it as the message describes; `agentprint
   * <command>
   * --help` has the options.
   */
  | "usage"
  /**
   * A file, a folder or a saved answer that the command needs could not be read. Check its path, its permissions and
   * its form.
   */
  | "unreadable-input"
  /** A file could not be written; nothing was changed. Free space, or choose a path that can be written. */
  | "unwritable-output"
  /** An input is larger than the command reads. Split it, or check that it is the right file. */
  | "too-large"
  /**
   * The answers of the server violate MCP, such as two tools with the same name. Report this to the author of the
   * server.
   */
  | "server-garbage"
  /**
   * The answers of the server contain secrets, which a lock must not hold. Correct the server; its answers are not
   * pinned.
   */
  | "server-secrets"
  /**
   * A file for the evidence contains a secret, and nothing was written. Remove the secret from the file at the place
   * that the message names.
   */
  | "secret-inside"
  /**
   * The server gave two different answers to the same request and announced no change. Correct the server, or leave out
   * the member that varies.
   */
  | "server-unstable"
  /**
   * The server gave the same client different answers at different starts. Let the members that the message names vary,
   * or correct the server.
   */
  | "server-varies"
  /**
   * A member that should vary is part of the contract, or the server does not have it. Correct `--vary` or `visits.vary` in
   * the configuration.
   */
  | "cannot-vary"
  /**
   * `agentprint.config.json` or a policy has a member that cannot be read. Correct the member at the place that the
   * message names.
   */
  | "invalid-config"
  /** An environment variable to which the configuration refers is not set. Set it and run the command again. */
  | "missing-variable"
  /** There is no lock file at the path. Make one with `agentprint init` or `agentprint pin`, or name the right file. */
  | "missing-lock"
  /**
   * Another command holds the lock file, or its folder cannot be written. Wait for the other command, then run this one
   * again.
   */
  | "lock-busy"
  /**
   * The name is already pinned in a different state, and the lock is unchanged. Review the change, then accept it with
   * `approve` or `--replace`.
   */
  | "already-pinned"
  /**
   * The server is not in the lock or in the report that was reviewed, so it is neither started nor accepted. Pin it
   * or review it first.
   */
  | "not-reviewed"
  /**
   * The server's command differs from the pinned one. Compare both, then restore the command or pin it again.
   */
  | "launch-changed"
  /**
   * The server names a different issuer or login endpoint than the lock, so no token was sent. Ask its operator, then
   * approve the change.
   */
  | "login-moved"
  /**
   * A variable makes the launch load code that the launch does not name. Remove the variable, or name the code in the
   * command.
   */
  | "launch-loads-code"
  /**
   * Some of the code that the launch runs has no digest in the lock. Write the launch in a form that can be pinned,
   * or lift the requirement.
   */
  | "not-covered"
  /**
   * A package of the launch has an install script that nobody allowed, or one that failed, and the server was not
   * started. Review the script, then allow it with `pin --allow-scripts` or `approve --allow-scripts`.
   */
  | "needs-scripts"
  /**
   * Integrity is required, and the lock has none for the server's package or image. Pin the server again where the
   * registry answers.
   */
  | "no-integrity"
  /** The input is not the output of `agentprint check --format json`. Make the report again and pass that file. */
  | "invalid-report"
  /** `git` is missing or could not read the base. Run the command in the repository, and fetch the base first. */
  | "git-failed"
  /**
   * A registry could not be read, or does not have the entry. Check the name and the network, then run the command
   * again.
   */
  | "registry-failed"
  /**
   * The policy requires an author's statement, and the existing one is not valid, so the server is not started. Get the
   * statement that belongs to the pinned release.
   */
  | "statement-refused"
  /**
   * A registry or a file of statements shows an older state than the one seen before. Ask its operator before you
   * accept the older state.
   */
  | "rolled-back"
  /**
   * A registry shows a different history from the one seen before. Ask its operator before you accept the new history.
   */
  | "forked"
  /** The user or a signal stopped the command before it finished. Run it again. */
  | "ended"
  /**
   * The work on one server failed with an unexpected error; the other servers were still read. Report it with the lines that the
   * command prints.
   */
  | "unexpected";

/** An error that explains itself on the command line: the failure, its place, the expected input, and the remedy. */
export class CliError extends Explained<CliErrorCode> {
  override readonly name = "CliError";

  constructor(code: CliErrorCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/** The error for a server that is neither started nor called, because part of it differs from the pinned state. */
export class OtherThanPinnedError extends CliError {
  readonly found: Pick<CheckFailure["failure"], "artifacts" | "auth">;

  constructor(code: CliErrorCode, message: string, found: OtherThanPinnedError["found"], details: ErrorDetails) {
    super(code, message, details);
    this.found = found;
  }
}

/** The errors that explain themselves, by the package that throws them. */
export type ExplainedError = CliError | ClientConfigError | AuthError | VisitError;

/** Returns whether an error explains itself; any other error is a defect or a system error. */
export function isExplained(error: unknown): error is ExplainedError {
  return error instanceof Explained;
}

/** Returns an error that explains itself unchanged, and wraps any other error in one that does. */
export function asExplained(error: unknown): ExplainedError {
  if (isExplained(error)) return error;
  return new CliError("unexpected", `an unexpected error: ${reasonOf(error)}`, { cause: error });
}

/** Returns the message of a failed call. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether a call failed because there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

const PEERS: Readonly<Record<string, string>> = packageJson.peerDependencies;

/** Returns the name of an optional package with the part of its version that excludes breaking changes: `@sigstore/sign@5`. */
function wanted(name: string): string {
  const [, version] = /^\^(0\.\d+|\d+)/.exec(PEERS[name] ?? "") ?? [];
  return version === undefined ? name : `${name}@${version}`;
}

/** Returns the line that installs optional packages where the command is installed. */
function installLine(packages: readonly string[]): string {
  return `npm install ${packages.map(wanted).join(" ")}`;
}

/** Returns the error for a command that needs optional packages, which npm does not install with it. */
export function notInstalled(
  what: string,
  packages: readonly string[],
  { where, cause, instead = "" }: { readonly where?: string; readonly cause?: unknown; readonly instead?: string } = {},
): CliError {
  return new CliError("usage", `${what} cannot be loaded`, {
    ...(where !== undefined && { where }),
    expected: `${packages.join(", ")}: optional peer dependencies of agentprint`,
    fix: `install them where agentprint is, with --global if it is global: ${installLine(packages)}${instead}`,
    ...(cause !== undefined && { cause }),
  });
}
