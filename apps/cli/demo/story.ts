import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";

/** The built command. */
export const AGENTPRINT: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** The error thrown when a step of the story has an unexpected outcome. */
export class StoryError extends Error {}

export function expectStory(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new StoryError(otherwise);
}

export function heading(number: number, text: string): void {
  console.log(`\n${pc.bold(pc.cyan(`${number}.`))} ${pc.bold(text)}`);
}

export function say(text: string): void {
  console.log(`   ${pc.dim(text)}`);
}

/** Runs the built command as a user would, shows its command line and its output, and checks its exit code. */
export function show(folder: string, args: readonly string[], exitCode: number): void {
  console.log(`\n   ${pc.green("$")} agentprint ${args.join(" ")}`);
  const output = run(folder, args, exitCode, pc.isColorSupported ? { FORCE_COLOR: "1" } : {});
  for (const line of output.trimEnd().split("\n")) console.log(`   ${pc.dim("│")} ${line}`);
  console.log(`   ${pc.dim(`└ exit code ${exitCode}`)}`);
}

/** Runs the built command and returns its output. */
export function run(
  folder: string,
  args: readonly string[],
  exitCode: number,
  env: Readonly<Record<string, string>> = {},
): string {
  const result = spawnSync(process.execPath, [AGENTPRINT, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const output = result.stdout + result.stderr;
  expectStory(
    result.status === exitCode,
    `agentprint ${args[0]} ended with ${result.status} instead of ${exitCode}:\n${stripVTControlCharacters(output)}`,
  );
  return output;
}
