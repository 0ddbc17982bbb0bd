/** The codes of {@link ArtifactError}. */
export type ArtifactErrorCode =
  /** The program that accesses the registry, such as `npm`, cannot be run. Install it, or put it on the `PATH`. */
  | "no-program"
  /** The registry does not have the package, version or image. Check the name and the version. */
  | "not-found"
  /**
   * The registry does not answer, and the runner's cache lacks the package. Check the network and run the command
   * again.
   */
  | "no-answer"
  /**
   * A package runs scripts when it is installed, but these are not allowed. Allow them with `pin --allow-scripts` or
   * `approve --allow-scripts`, or leave the package out.
   */
  | "needs-scripts"
  /**
   * An allowed install script ended with an error. Install what it needs, such as a compiler, and run the command
   * again.
   */
  | "script-failed"
  /** An answer, or a file of an installed package, is malformed or too long. Install it again. */
  | "unreadable";

/**
 * The error that this package throws: nothing is known about the bytes that a launch would run. The message can quote a
 * registry: escape it before it reaches a terminal.
 *
 * @example
 * ```ts
 * import { ArtifactError, readArtifacts } from "@agentprint/artifacts";
 *
 * const launch = { type: "stdio" as const, command: "npx", args: ["-y", "my-server@1.2.3"], env: [] };
 * try {
 *   await readArtifacts(launch, { cwd: "/nowhere", env: {} });
 * } catch (error) {
 *   console.log(error instanceof ArtifactError && error.code); // no-program
 * }
 * ```
 */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
  readonly code: ArtifactErrorCode;

  /** For `needs-scripts`, the packages whose install scripts must be allowed. */
  readonly packages: readonly string[];

  constructor(code: ArtifactErrorCode, message: string, cause?: unknown, packages: readonly string[] = []) {
    super(message, { cause });
    this.code = code;
    this.packages = packages;
  }
}
