import { escapeText } from "@agentprint/canonical-json";

/** The codes of {@link SkillsError}. */
export type SkillsErrorCode =
  /** A symbolic link leads out of the folder that it is in. Replace it with a copy of its target. */
  | "outside"
  /** A pipe, a socket or a device is where a file or a folder should be. Remove it. */
  | "not-a-file"
  /**
   * A file, a folder or a project is larger than the limits of this package. Remove what does not belong to the
   * skill.
   */
  | "too-large"
  /** A file or a folder could not be read, or changed while it was read. Check its permissions and read it again. */
  | "unreadable";

/**
 * The error of this package.
 *
 * `path` leads from the folder of the project to the file or folder, with `/` between folders.
 *
 * @example
 * ```ts
 * import { readSkills, SkillsError } from "@agentprint/skills";
 *
 * try {
 *   await readSkills("no/such/folder");
 * } catch (error) {
 *   if (!(error instanceof SkillsError)) throw error;
 *   console.log(error.code); // unreadable
 * }
 * ```
 */
export class SkillsError extends Error {
  override readonly name = "SkillsError";
  readonly code: SkillsErrorCode;
  readonly path: string;

  constructor(code: SkillsErrorCode, path: string, message: string, cause?: unknown) {
    super(escapeText(`${path === "" ? "the folder" : path} ${message}`), { cause });
    this.code = code;
    this.path = path;
  }
}

/** Returns the error for a failed file system call. */
export function unreadable(path: string, error: unknown): SkillsError {
  if (error instanceof SkillsError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new SkillsError("unreadable", path, `cannot be read: ${code ?? message}`, error);
}
