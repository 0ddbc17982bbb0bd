import { escapeText } from "@agentprint/canonical-json/text";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { CommanderError } from "commander";
import type { Context } from "../run/context.ts";
import { CliError, isExplained } from "../run/errors.ts";
import { asCalled } from "./command-line.ts";
import { errorAddress } from "./page-address.ts";
import { columnsOf, wrapWords } from "./wrap-lines.ts";

const LABEL_WIDTH = 10;

/** Prints the error that ended a command and returns the exit code that goes with it. */
export function reportError(context: Context, error: unknown): ExitCode {
  // Commander itself has printed its help, version or usage message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.same : EXIT.unknown;
  printError(context, error);
  // A registry that contradicts the remembered one is a difference, not a failed comparison.
  const isDifference = error instanceof CliError && (error.code === "rolled-back" || error.code === "forked");
  return isDifference ? EXIT.drift : EXIT.unknown;
}

/**
 * Prints an error to stderr: its message, server, place, expectation, remedy and the address of its page.
 *
 * @param isReported Whether the report above contains the error's message; only the other lines are then printed
 */
export function printError(context: Context, error: unknown, server?: string, isReported = false): void {
  const { hidden, stderr } = context;
  const { bold, dim, red } = context.colorsOf(stderr);
  const message = hidden.replace(error instanceof Error ? error.message : String(error));
  const subject = server === undefined ? "" : `${escapeText(hidden.replace(server))}: `;
  const columns = columnsOf(context, stderr);
  const rowsOf = (text: string, indent: number): string =>
    wrapWords(text, columns && Math.max(columns - indent, indent)).join(`\n${" ".repeat(indent)}`);
  const headline = `${subject}${isReported ? "could not be read" : escapeText(message)}`;
  const lines = [`${red(bold("error:"))} ${rowsOf(headline, "error: ".length)}`];
  for (const [label, text] of details(error)) {
    // The kept stderr of a server can start in the middle of a value.
    const called = label === "fix" ? asCalled(context, text) : text;
    const shown = hidden.replace(called.trimEnd(), label === "stderr" ? "at-start" : undefined);
    const indent = LABEL_WIDTH + "   ".length;
    const indented = escapeLines(shown)
      .split("\n")
      .map((line) => rowsOf(line, indent))
      .join(`\n${" ".repeat(indent)}`);
    lines.push(`  ${dim(`${label}:`.padEnd(LABEL_WIDTH))} ${indented}`);
  }
  stderr.write(`${lines.join("\n")}\n`);
}

/** Makes text of unknown origin safe to print: line breaks stay, everything else that is not plainly visible is escaped. */
export function escapeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll("\t", "  ")))
    .join("\n");
}

function details(error: unknown): [label: string, text: string][] {
  const found: [string, string | undefined][] = [];
  if (isExplained(error)) {
    const { where, expected, fix } = error.details;
    found.push(
      ["where", where],
      ["expected", expected],
      ["fix", fix],
      ["code", error.code],
      ["more", errorAddress(error)],
    );
    if (error.name === "VisitError") found.push(["stderr", error.details.serverOutput]);
    if (error.code === "unexpected") found.push(...linesOfDefect(error.details.cause));
  } else if (hasSystemCode(error)) {
    found.push(["code", error.code]);
  } else {
    found.push(...linesOfDefect(error));
  }
  return found.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function hasSystemCode(error: unknown): error is { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function linesOfDefect(error: unknown): [label: string, text: string | undefined][] {
  if (!(error instanceof Error) || hasSystemCode(error)) return [];
  return [
    ["fix", "report it with the lines below: this looks like a defect of agentprint"],
    ["stack", error.stack],
  ];
}
