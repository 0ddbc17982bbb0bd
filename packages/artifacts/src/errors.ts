/**
 * The codes of {@link ArtifactError}.
 *
 * - `no-program`: the program that knows the registry, such as `npm`, cannot be run
 * - `not-found`: the registry has no such package, version or image
 * - `no-answer`: neither the registry nor the cache of the runner answers
 * - `unreadable`: an answer, or a file of what is installed, is not what it has to be
 */
export type ArtifactErrorCode = "no-program" | "not-found" | "no-answer" | "unreadable";

/**
 * The error of this package: nothing can be said about the bytes that a launch would run. The message can quote a registry:
 * escape it before it reaches a terminal.
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

  constructor(code: ArtifactErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
