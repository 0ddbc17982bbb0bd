/** `##[name]`, `##vso[name]` and similar text are commands at any position in a line. */
const BRACKETED = /##(?=[a-z]*\[)/gi;
/**
 * `::name::` is a command after white space at the beginning of a line. .NET has one more white space character than
 * JavaScript.
 */
const LEADING = /^((?:[^\S\n]|\u0085)*):(?=:)/gm;
const SECTION = /section_(start|end):(?=\d)/gi;

/**
 * Returns a text in which no line is a command to a runner that reads its log: to GitHub Actions (`::name::`,
 * `##[name]`), Azure Pipelines (`##vso[name]`), TeamCity (`##teamcity[name]`) or GitLab (`section_start:`). One
 * character of each command is written as a JSON escape, so that JSON text stays valid and keeps its value.
 *
 * @example
 * ```ts
 * import { withoutRunnerCommands } from "@agentprint/report/runner-commands";
 *
 * console.log(withoutRunnerCommands("##[add-mask]e")); // #\u0023[add-mask]e
 * console.log(withoutRunnerCommands("  ::stop-commands::x")); //   \u003a:stop-commands::x
 * ```
 */
export function withoutRunnerCommands(text: string): string {
  return withoutBracketedCommands(text).replace(LEADING, "$1\\u003a");
}

/** Does the same for text that begins with a command of our own. */
export function withoutBracketedCommands(text: string): string {
  return text.replace(BRACKETED, "#\\u0023").replace(SECTION, "section_$1\\u003a");
}
