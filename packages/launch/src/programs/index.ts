import { checkArgument } from "../check-argument.ts";
import { type Programs, Reader, type ReadProgram } from "../reader.ts";
import { programOf } from "../words.ts";
import { container } from "./containers.ts";
import { deno } from "./deno.ts";
import { ENVIRONMENT_WRAPPERS } from "./environment-wrappers.ts";
import { NODE_PROGRAMS } from "./node.ts";
import { FETCHERS, isOpaque } from "./opaque.ts";
import { RUNNER_PROGRAMS } from "./runners.ts";
import { PYTHON_SERVERS, SCRIPT_PROGRAMS } from "./scripts.ts";
import { SHELL_PROGRAMS } from "./shells.ts";
import { SYSTEM_WRAPPERS } from "./system-wrappers.ts";

const PROGRAMS: ReadonlyMap<string, ReadProgram> = new Map(
  Object.entries({
    ...SYSTEM_WRAPPERS,
    ...ENVIRONMENT_WRAPPERS,
    ...SHELL_PROGRAMS,
    ...SCRIPT_PROGRAMS,
    ...PYTHON_SERVERS,
    ...NODE_PROGRAMS,
    ...RUNNER_PROGRAMS,
    deno,
    docker: container,
    podman: container,
    nerdctl: container,
  }),
);
/** Programs that are called with a version in their name. */
const VERSIONED = /^(python|pypy|ruby|perl|php|lua|node)-?\d[\d.]*$/;
/** Program names that are also plain words. */
const PLAIN_WORDS = new Set(["time", "exec", "command", "arch", "op", "go", "mcp", "env", "perl", "cmd"]);

function nameOf(name: string): string {
  return VERSIONED.exec(name)?.[1] ?? name;
}

/**
 * Returns whether a file, judging by its name, is a program that runs code named by its words, such as an interpreter,
 * a shell or a package runner. Names that are also plain words are not included.
 *
 * @example
 * ```ts
 * import { isCodeRunner } from "@agentprint/launch";
 *
 * console.log(isCodeRunner("/usr/bin/python3.12"), isCodeRunner("/opt/weather/weather-server")); // true false
 * ```
 */
export function isCodeRunner(path: string): boolean {
  checkArgument("path", path, "string");
  const name = programOf({ text: path });
  return programs.isRunner(name) || isOpaque(name);
}

const programs: Programs = {
  read: (name) => {
    const read = PROGRAMS.get(nameOf(name));
    if (read !== undefined) return read;
    if (!isOpaque(name)) return undefined;
    return (reader, { command }) => reader.miss(command, FETCHERS.has(name) ? name : undefined);
  },
  isRunner: (name) => PROGRAMS.has(nameOf(name)) && !PLAIN_WORDS.has(name),
};

/**
 * Returns a reader that knows all supported programs.
 *
 * @param passed The names of the variables that the launch passes on
 */
export function createReader(passed: readonly string[]): Reader {
  return new Reader(programs, passed);
}
