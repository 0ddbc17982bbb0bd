import { type ChildProcess, spawn as spawnDirectly } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { Duplex, Writable } from "node:stream";
import { redactLaunch } from "@agentprint/launch/redact";
import { VisitError } from "../errors.ts";
import type { StdioTarget } from "../target.ts";
import { kindOf, whyNotRunnable } from "./find-command.ts";
import { SUPERVISOR, WATCHER } from "./supervisor.ts";

const SHELL = "/bin/sh";

/** A started server. */
export interface LaunchedProcess {
  readonly child: ChildProcess;
  /** The server's standard input. */
  readonly stdin: Writable;
  /** The `NAME=value` that every process of the server has in its environment; both are random for each start. */
  readonly mark: string;
  /** Fulfilled when the command runs; until then, work in this process delays the server's start. */
  readonly running: Promise<void>;
  readonly ended: Promise<ServerEnd>;
}

/** How a server ended. */
export interface ServerEnd {
  /** A description, such as `ended with exit code 3`. */
  readonly how: string;
  /** The exit code, or 128 plus the number of the signal that ended the server; absent if unknown. */
  readonly exitCode?: number;
}

/**
 * Starts a target's command so that the environment, arguments and parent processes do not show who visits the server.
 * On Windows, and if there is no `/bin/sh`, the server's parent is this process.
 *
 * @throws {@link VisitError} `server-not-started` if the command cannot be run.
 */
export async function launchProcess(target: StdioTarget): Promise<LaunchedProcess> {
  const { command, args, cwd = process.cwd() } = target;
  const names = Object.keys(target.env);
  if ([command, cwd, ...args, ...names, ...Object.values(target.env)].some((text) => text.includes("\0"))) {
    // The system's error would quote the value that cannot be passed.
    throw new VisitError("server-not-started", `cannot start ${asWritten(target).command}`, {
      expected: "a command, arguments and variables without NUL characters",
    });
  }
  // The system ends a name at its first `=`, so that another variable than the named one would be set.
  if (names.some((name) => name === "" || name.includes("="))) {
    throw notStarted(target, () => "a variable has no name, or one with a = in it", {
      expected: "variables whose names are not empty and contain no =",
      fix: "name the variable correctly where the launch is defined",
    });
  }
  if (target.cwd !== undefined && kindOf(target.cwd) !== "folder") {
    // The system's error would blame the command.
    throw notStarted(target, (written) => `there is no folder ${written.cwd}`, {
      expected: "a folder as cwd of the launch",
      fix: "create the folder, or correct cwd where the launch is defined",
    });
  }
  const [name, value] = [randomName(), randomBytes(16).toString("hex")];
  const env = { ...inheritedEnvironment(), ...target.env, [name]: value };
  const behindShell = process.platform !== "win32" && existsSync(SHELL);
  const reason = behindShell ? whyNotRunnable(command, env["PATH"] ?? "", cwd) : undefined;
  if (reason !== undefined) throw notStarted(target, (written) => `spawn ${written.command} ${reason}`);
  const options = { cwd: target.cwd, env, detached: process.platform !== "win32", windowsHide: true } as const;
  // Loaded only when used, because loading it takes longer than starting a shell.
  const spawn = behindShell ? spawnDirectly : (await import("cross-spawn")).default;
  const child = start(target, () =>
    behindShell
      ? spawn(SHELL, ["-c", SUPERVISOR, WATCHER, command, ...args], {
          ...options,
          stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
        })
      : spawn(command, [...args], { ...options, stdio: ["pipe", "pipe", "pipe"] }),
  );
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) =>
      reject(notStarted(target, (written) => error.message.replaceAll(command, written.command))),
    );
  });
  const mark = `${name}=${value}`;
  if (!behindShell) {
    return { child, stdin: child.stdin as Writable, mark, running: Promise.resolve(), ended: endOf(child) };
  }
  const status = child.stdio[3] as Duplex;
  const running = new Promise<void>((resolve) => {
    child.once("exit", () => status.write(`\n${mark}\n`, () => resolve()));
  });
  return { child, stdin: child.stdio[4] as Writable, mark, running, ended: endBehindShell(status) };
}

/** The command and folder of a launch in the form that errors show. */
interface WrittenLaunch {
  readonly command: string;
  readonly cwd: string | undefined;
}

/** Returns a launch whose variable references are not expanded, so it holds no secrets. */
function asWritten(target: StdioTarget): WrittenLaunch {
  const launch = redactLaunch(target.launch);
  return launch.type === "stdio" ? { command: launch.command, cwd: launch.cwd } : { command: "", cwd: undefined };
}

function start(target: StdioTarget, run: () => ChildProcess): ChildProcess {
  try {
    return run();
  } catch (error) {
    // The new error contains only the code, such as E2BIG, because a system message can quote values.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why = typeof code === "string" ? code : "the system refuses it";
    throw notStarted(target, () => why);
  }
}

function endBehindShell(status: Duplex): Promise<ServerEnd> {
  let text = "";
  status.setEncoding("latin1").on("data", (chunk: string) => {
    text = (text + chunk).slice(0, 8);
  });
  return new Promise((resolve) => {
    status.on("error", () => {
      // The waiting shell was killed; the stream closes next.
    });
    status.once("close", () => {
      const exitCode = Number(text);
      resolve(
        text === "" ? { how: "was ended with its shell" } : { how: `ended with exit code ${exitCode}`, exitCode },
      );
    });
  });
}

function endOf(child: ChildProcess): Promise<ServerEnd> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) =>
      resolve(
        exitCode === null ? { how: `was ended by ${signal}` } : { how: `ended with exit code ${exitCode}`, exitCode },
      ),
    );
  });
}

/**
 * Returns the variables that a login shell gives to every program, which a server gets in addition to its target's
 * variables.
 */
export function inheritedEnvironment(): Record<string, string> {
  const names =
    process.platform === "win32"
      ? "APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES"
      : "HOME LOGNAME PATH SHELL TERM USER";
  const found = names.split(" ").map((name) => [name, process.env[name]] as const);
  // A function exported by bash is code.
  return Object.fromEntries(found.filter((entry): entry is [string, string] => !(entry[1] ?? "()").startsWith("()")));
}

/**
 * Returns a name for an environment variable that no server can know: twelve letters, like the names of many variables.
 */
function randomName(): string {
  const letters = Array.from(randomBytes(12), (byte) => String.fromCharCode(65 + (byte % 26)));
  return letters.join("");
}

/** Returns the error for a command that cannot be run; `why` receives the launch in the form that errors show. */
function notStarted(
  target: StdioTarget,
  why: (written: WrittenLaunch) => string,
  details: { expected: string; fix: string } | undefined = undefined,
): VisitError {
  const written = asWritten(target);
  return new VisitError("server-not-started", `cannot start ${written.command}: ${why(written)}`, {
    expected: "a command that can be run from here",
    fix: "check the command, and that it is installed and on PATH",
    ...details,
  });
}
