import { existsSync } from "node:fs";
import { join, resolve, sep, win32 } from "node:path";
import { ArtifactError } from "../errors.ts";
import { readText } from "../json-file.ts";

/** The program that one of npm's Windows shims starts, with its arguments. */
export interface ShimTarget {
  /** The program named in the script's shebang, without a folder; absent if the target is itself a program. */
  readonly program?: string;
  /** The arguments between the program and the script. */
  readonly args: readonly string[];
  /** The path of the script or program, relative to the shim's folder. */
  readonly target: string;
  /** The variables that the shebang sets. */
  readonly env: Readonly<Record<string, string>>;
}

/** The line that starts the target: https://github.com/npm/cmd-shim/blob/main/lib/index.js */
const START = /^(?:endLocal & [^"]* & )?(?:"%_prog%"|"%dp0%\\(?<own>[^"%]+)") (?<rest>.*)%\*$/;

/**
 * Reads which script an npm `.cmd` file starts, so that the script can be started by its path, without a `cmd.exe` that
 * looks for programs in the project folder first.
 *
 * @returns `undefined` if the text has another form
 */
export function readShim(text: string): ShimTarget | undefined {
  const lines = text.split(/\r?\n/);
  const { own, rest = "" } = lines.map((line) => START.exec(line)?.groups).find(Boolean) ?? {};
  const sets = lines.flatMap((line) => /^@SET ([\w.]+)=(.*)$/.exec(line)?.slice(1) ?? []);
  const env = Object.fromEntries(sets.flatMap((name, at) => (at % 2 === 0 ? [[name, sets[at + 1] ?? ""]] : [])));
  if (own !== undefined) return rest.trim() === "" ? { args: [], target: own, env } : undefined;
  const program = lines.map((line) => /^ {2}SET "_prog=([^%"]+)"$/.exec(line)?.[1]).find(Boolean);
  const [, options = "", target] = /^(.*?)"%dp0%\\([^"%]+)" *$/.exec(rest) ?? [];
  if (program === undefined || target === undefined || options.includes('"')) return undefined;
  const name = win32.basename(program).replace(/\.exe$/i, "");
  return { program: name, args: options.split(/\s+/).filter(Boolean), target, env };
}

/**
 * Returns the command, with absolute paths, that does the same as a program's shim.
 *
 * @param path The folders to search for programs
 * @throws {@link ArtifactError} `unreadable` if npm wrote a different shim; `no-program` if no folder has the program
 */
export async function startOfShim(
  bin: string,
  name: string,
  path: readonly string[],
): Promise<{ readonly command: string; readonly args: readonly string[]; readonly env: ShimTarget["env"] }> {
  const shim = join(bin, `${name}.cmd`);
  const read = readShim((await readText(shim)) ?? "");
  if (read === undefined) throw new ArtifactError("unreadable", `${shim} does not have the form that npm writes`);
  const { program, args, target, env } = read;
  const script = resolve(bin, target.replaceAll("\\", sep));
  if (program === undefined) return { command: script, args: [], env };
  const command = path.map((folder) => join(folder, `${program}.exe`)).find((each) => existsSync(each));
  if (command === undefined) throw new ArtifactError("no-program", `no folder of PATH has ${program}.exe for ${name}`);
  return { command, args: [...args, script], env };
}
