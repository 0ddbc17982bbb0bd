import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { codeVariablesOfLaunch, isChoosingCode, type Launch, launchedEnvFiles, readLauncher } from "@agentprint/launch";
import type { StdioTarget } from "@agentprint/mcp-visit";
import { readRegularFile } from "../files/read-input.ts";
import { isInside } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** The maximum size of a file of variables, in bytes. */
export const MAX_ENV_FILE_BYTES: number = 1024 * 1024;
/** A line that sets a variable, in any of the forms that readers of such files accept. */
const LINE = /^[ \t]*(?:export[ \t]+)?["']?([A-Za-z_][\w%()-]*)["']?[ \t]*[=:][ \t]*(.*)$/gm;

/**
 * Refuses a launch with variables that load or choose code, such as `LD_PRELOAD`, `NODE_OPTIONS` with `--import`, a
 * different `npm_config_userconfig`, or a `PATH` with a folder of the launch. No word of the launch names that code, so
 * no digest covers it.
 *
 * @throws {@link CliError} `launch-loads-code` when a value, a word of the launch or a file with variables sets one;
 * `unreadable-input`, `too-large` when such a file cannot be read
 */
export async function refuseLoadedCode(context: Context, name: string, target: StdioTarget): Promise<void> {
  const { command, args, env, cwd = "." } = target;
  const launch: Launch = { type: "stdio", command, args: [...args], env: [] };
  const isChoosing = choosingFor(context, launch, cwd);
  for (const [variable, value] of Object.entries(env)) {
    if (isChoosing(variable, value)) throw loadsCode(name, variable, "the environment of the launch");
  }
  const [inWords] = codeVariablesOfLaunch(launch);
  if (inWords) throw loadsCode(name, inWords.name, `launch at ${inWords.pointer}`);
  for (const { path, folder = "." } of launchedEnvFiles(launch)) {
    const variable = await variableInFile(context, resolve(cwd, folder, path), isChoosing);
    if (variable !== undefined) throw loadsCode(name, variable, path);
  }
}

type IsChoosing = (variable: string, value: string) => boolean;

/** Returns whether a variable chooses code for a launch in `cwd`. A home folder, or one above it, contains the user's own programs. */
function choosingFor({ env, pathOf }: Context, launch: Launch, cwd: string): IsChoosing {
  const folder = resolve(pathOf(cwd));
  const hasHome = isInside(folder, env["HOME"] || homedir());
  const isOwn = (path: string): boolean => !isAbsolute(path) || (!hasHome && isInside(folder, resolve(path)));
  const isFetched = "package" in readLauncher(launch);
  return (variable, value) => isChoosingCode(variable, value, { isOwn, isFetched });
}

/** Returns the first variable of a file that chooses code. A missing file sets no variable. */
async function variableInFile(context: Context, file: string, isChoosing: IsChoosing): Promise<string | undefined> {
  let text: string;
  try {
    text = new TextDecoder().decode(await readRegularFile(context, file, MAX_ENV_FILE_BYTES));
  } catch (error) {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  }
  const { parse } = await import("dotenv");
  // Readers of such files treat quotes and line breaks differently, so a value that any of them would read is a secret.
  const lines = [...text.matchAll(LINE)].map(([, variable = "", value = ""]) => [variable, value] as const);
  const found = [...Object.entries(parse(text)), ...lines];
  return found.find(([variable, value]) => isChoosing(variable, value))?.[0];
}

function loadsCode(name: string, variable: string, where: string): CliError {
  return new CliError("launch-loads-code", `${variable} makes the launch of ${name} load code that it does not name`, {
    where: `${name}, ${where}`,
    expected: "variables that load no code",
    fix: `leave ${variable} out, and name the code in the launch itself, such as node --import ./first.js server.js`,
  });
}
