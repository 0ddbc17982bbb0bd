import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

const PACKAGE = "@agentprint/golden-vectors";

/** Accepts the arguments and options of the golden vectors command as they are. */
export function define(command: Command): void {
  command
    .argument("[args...]", "list, fmt, lint, run or release, with its own options")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions();
}

/** Runs the golden vectors command if it is installed in the project or next to this command. */
export async function run(
  { env, pathOf, signal, stderr, stdout }: Context,
  args: readonly string[],
): Promise<ExitCode> {
  const bin = findBin(resolve(pathOf("package.json"))) ?? findBin(import.meta.url);
  if (bin === undefined) {
    throw new CliError("unreadable-input", `${PACKAGE} is not installed`, {
      fix: commandLine(["npx", "-p", PACKAGE, "vectors", ...args]),
    });
  }
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: pathOf("."),
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  const [code] = await once(child, "close");
  return code === EXIT.same || code === EXIT.drift ? code : EXIT.unknown;
}

/** Returns the path of the command as a module resolves it; `undefined` if the module cannot find the package. */
function findBin(module: string): string | undefined {
  try {
    return join(createRequire(module).resolve(`${PACKAGE}/schema/operations.json`), "../../bin/vectors.js");
  } catch {
    return undefined;
  }
}
