import { CanonicalJsonError } from "@agentprint/canonical-json";
import { CommanderError } from "commander";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-code.ts";
import { colorsFor } from "./color.ts";
import { escapeLines, escapeText } from "./escape.ts";

/** Prints an error to stderr as what, where, expected and fix, and returns the exit code that goes with it. */
export function reportError(error: unknown): number {
  // Commander has printed its help, version or usage message by itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.unknown;
  const colors = colorsFor(process.stderr);
  const lines = [`${colors.red(colors.bold("error:"))} ${escapeText(messageOf(error))}`];
  for (const [label, text] of details(error)) {
    lines.push(`  ${colors.dim(`${label}:`.padEnd(9))} ${escapeLines(text).replaceAll("\n", `\n${" ".repeat(12)}`)}`);
  }
  process.stderr.write(`${lines.join("\n")}\n`);
  return EXIT.unknown;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function details(error: unknown): [label: string, text: string][] {
  const found: [string, string | undefined][] = [];
  if (error instanceof CliError) {
    found.push(["where", error.where], ["expected", error.expected], ["fix", error.fix], ["code", error.code]);
    if (error.cause instanceof CanonicalJsonError) found.push(["reason", error.cause.message]);
  } else if (error instanceof Error && "code" in error && typeof error.code === "string") {
    found.push(["code", error.code]);
  } else if (error instanceof Error) {
    found.push(["fix", "this looks like a defect of agentprint: please report it with the lines below"]);
    found.push(["stack", error.stack ?? error.name]);
  }
  return found.filter((entry): entry is [string, string] => entry[1] !== undefined);
}
