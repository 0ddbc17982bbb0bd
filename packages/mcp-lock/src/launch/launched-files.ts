import { toPointer } from "@agentprint/canonical-json";
import type { Launch } from "../visit/launch.ts";
import { interpreterOf, scriptsOf } from "./interpreters.ts";
import { isUnreadable, unwrap } from "./unwrap.ts";
import { programOf, type Word, wordsOf } from "./words.ts";

/** A script or program that a launch names and that is there already. */
export interface LaunchedFile {
  /** RFC 6901 JSON Pointer of the command or argument that names the file, from the launch. */
  readonly pointer: string;
  /** The path as the launch writes it, from its folder; a name without a slash is that of a program on the `PATH`. */
  readonly path: string;
  /** `program`: a bare name is looked up on the `PATH`; `script`: a path, to which Node.js may add an ending. */
  readonly kind: "program" | "script";
  /** The folder that the path starts at, from the folder of the launch, where an option such as `--directory` names one. */
  readonly folder?: string;
}

/**
 * The local files that a launch names as what runs: its program, unless that is an interpreter, a shell or a runner of packages,
 * which change with the system; and the script that an interpreter is given. Each with the place that names it. Data that a
 * program reads is not among them.
 *
 * @example
 * ```ts
 * import { launchedFiles } from "@agentprint/mcp-lock/launch";
 *
 * const [file] = launchedFiles({ type: "stdio", command: "node", args: ["--no-warnings", "server.js"], env: [] });
 * console.log(file?.pointer, file?.path); // /args/1 server.js
 * ```
 */
export function launchedFiles(launch: Launch): LaunchedFile[] {
  if (launch.type === "http") return [];
  const [command, ...rest] = unwrap(wordsOf(launch)) ?? [];
  if (command === undefined) return [];
  const program = programOf(command);
  const interpreter = interpreterOf(program);
  if (interpreter === undefined) return isUnreadable(program) ? [] : [fileOf(command, "program")];
  const files = scriptsOf(interpreter, rest).map(({ word, folder }): LaunchedFile => {
    const file = fileOf(word, "script");
    return folder === undefined ? file : { ...file, folder };
  });
  // Two words of one argument, which a shell splits, have one place: the first is told.
  return files.filter(({ pointer }, index) => files.findIndex((other) => other.pointer === pointer) === index);
}

function fileOf({ text, argument }: Word, kind: LaunchedFile["kind"]): LaunchedFile {
  return { pointer: argument === -1 ? "/command" : toPointer(["args", argument]), path: text, kind };
}
