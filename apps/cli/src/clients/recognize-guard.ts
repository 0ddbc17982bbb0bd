import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Recognition, RecognizeGuard, WrittenLaunch } from "@agentprint/client-configs";
import { redactLaunch } from "@agentprint/launch/redact";
import { parse as parseEnvFile } from "dotenv";
import { MAX_ENV_FILE_BYTES } from "../launch/refuse-loaded-code.ts";
import { lockPathOf, realLockPath } from "../lock/lock-path.ts";
import type { Context } from "../run/context.ts";
import { isMissing } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { guardOfAddress, guardOfCommand, isFromNpm, isThisProgram, namesGuard } from "./guarded-launch.ts";

/**
 * Variables that start another program or load other code, whatever the launch's arguments are: those of Node.js and
 * its engine, of the system's loader, of OpenSSL and of libc.
 */
const CHANGES_CODE =
  /^(?:NODE_(?:OPTIONS|PATH|COMPILE_CACHE|ICU_DATA|V8_COVERAGE|REPL_EXTERNAL_MODULE|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID|TEST_CONTEXT)|LD_.*|DYLD_.*|OPENSSL_(?:CONF|MODULES|ENGINES)|GCONV_PATH)$/i;
/** Variables that decide which state and options the guard reads. */
const CHANGES_GUARD = /^(?:AGENTPRINT_.*|XDG_STATE_HOME|HOME|USERPROFILE|SQLITE_USE_URI)$/i;
/** Variables that decide which `npx` is started, and from where npm gets a package. */
const CHANGES_NPM =
  /^(?:npm_config_.*|npm_package_.*|PATH|PATHEXT|ComSpec|SHELL|APPDATA|LOCALAPPDATA|PREFIX|BASH_ENV|ENV)$/i;
const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost|\[::1\]):/;

/**
 * Recognizes any entry in the form that `wrap` writes, with any lock and program, because `unwrap` also removes the
 * guards of other machines and other locks.
 */
export const recognizeAnyGuard: RecognizeGuard = ({ command, url }) => {
  const guard = command.length > 0 ? guardOfCommand(command) : guardOfAddress(url ?? "");
  if (guard !== undefined)
    return { guardedAs: guard.server, ...("url" in guard ? { url: guard.url } : { words: guard.words }) };
  return namesGuard(command) ? notWritten(command) : undefined;
};

/**
 * Recognizes only an entry that `wrap` writes for this lock: agentprint from npm in an exact version or this
 * installation, the words of `wrap` and no others, and no other member that starts another program.
 *
 * @param addresses The addresses of HTTP guards on other machines that `wrap` has written, as `host:port`
 * @param isAnyLock Whether the guard may use another lock; its launch is still compared with the lock in use
 */
export async function recognizeGuardOf(
  context: Pick<Context, "cwd" | "pathOf">,
  lock: string,
  addresses: ReadonlySet<string> = new Set(),
  isAnyLock = false,
): Promise<RecognizeGuard> {
  const inUse = await lockPathOf(context, lock);
  return (launch) => {
    const { command, url = "" } = launch;
    const isCommand = command.length > 0;
    const guard = isCommand ? undefined : guardOfAddress(url);
    if (!(isCommand ? namesGuard(command) : guard)) return undefined;
    if (guard === undefined) return ofCommand(context, launch, isAnyLock ? undefined : inUse);
    if (THIS_MACHINE.test(guard.at) || addresses.has(guard.at)) return { guardedAs: guard.server, url: guard.url };
    return { notGuarded: `its address leads to ${guard.at}, where agentprint wrap put no guard` };
  };
}

function ofCommand(
  context: Pick<Context, "cwd" | "pathOf">,
  launch: WrittenLaunch,
  inUse: string | undefined,
): Recognition {
  const { command, cwd } = launch;
  const guard = guardOfCommand(command);
  if (guard === undefined) return notWritten(command);
  const isNpm = isFromNpm(guard.program);
  if (!isNpm && !isThisProgram(guard.program)) {
    return { notGuarded: `it starts ${commandLine(guard.program)}, which is not this agentprint` };
  }
  const names = launch.envFile === undefined ? [] : namesIn(context, launch.envFile);
  if (names === undefined) return { notGuarded: `it is unknown which variables its file ${launch.envFile} has` };
  const other = programVariable([...launch.variables, ...names], isNpm);
  if (other !== undefined)
    return { notGuarded: `its variable ${other} determines which program is started as the guard, or what it reads` };
  if (inUse === undefined || lockOf(context, guard.lock, cwd) === inUse)
    return { guardedAs: guard.server, words: guard.words };
  return { notGuarded: `its guard uses another lock: ${guard.lock}` };
}

/** Returns a variable that changes the started code, the state that it reads, or the source of npm packages. */
function programVariable(names: readonly string[], isNpm: boolean): string | undefined {
  const isMeant = (name: string): boolean =>
    CHANGES_CODE.test(name) || CHANGES_GUARD.test(name) || (isNpm && CHANGES_NPM.test(name));
  return names.find(isMeant);
}

/**
 * Returns the names in a file of variables; none if there is no such file, and `undefined` if only the client knows
 * its path, or it cannot be read as a regular file of at most {@link MAX_ENV_FILE_BYTES}.
 */
export function namesIn(context: Pick<Context, "cwd" | "pathOf">, envFile: string): string[] | undefined {
  const project = resolve(context.pathOf("."));
  const path = withFolders(envFile, project);
  if (path === undefined) return undefined;
  try {
    const file = openSync(resolve(project, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(file);
      const isReadable = found.isFile() && found.size <= MAX_ENV_FILE_BYTES;
      return isReadable ? Object.keys(parseEnvFile(readFileSync(file))) : undefined;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return isMissing(error) ? [] : undefined;
  }
}

function notWritten(command: readonly string[]): Recognition {
  const dashes = command.indexOf("--", command.indexOf("guard"));
  const [program = "", ...args] = dashes === -1 ? command : command.slice(0, dashes);
  const shown = redactLaunch({ type: "stdio", command: program, args, env: [] });
  const words = shown.type === "stdio" ? commandLine([shown.command, ...shown.args]) : "";
  return { notGuarded: `it starts ${words}, which agentprint wrap does not write` };
}

/** Returns the absolute path of a configuration's lock; `undefined` if only the client knows it. */
function lockOf(context: Pick<Context, "cwd" | "pathOf">, lock: string, cwd: string | undefined): string | undefined {
  const project = resolve(context.pathOf("."));
  const [folder, path] = [withFolders(cwd ?? ".", project), withFolders(lock, project)];
  if (folder === undefined || path === undefined) return undefined;
  return realLockPath(resolve(project, folder, path));
}

/** Returns a path after filling in the folders that every client fills in alike. */
function withFolders(text: string, project: string): string | undefined {
  const filled = text
    .replaceAll(/\$\{(?:workspaceFolder|cwd)\}/g, () => project)
    .replaceAll("$" + "{userHome}", homedir);
  return /\$\{|\{env:|^~/.test(filled) ? undefined : filled;
}
