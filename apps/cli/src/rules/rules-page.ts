import { PRESET_NAMES } from "@agentprint/policy/apply";
import { ruleAnchor } from "../terminal/page-address.ts";
import { decisionsInWords, presetDecisions } from "./preset-decisions.ts";
import type { ListedRule } from "./rule-list.ts";

/** Returns the reference of all rules as a page of Markdown, one section per command. */
export function rulesPage(rules: readonly ListedRule[]): string {
  const commands = [...new Set(rules.map(({ command }) => command))];
  return [
    "# Rules",
    "",
    "Every finding of a report names one of these rules. `agentprint rules --format markdown` writes this page.",
    "`agentprint explain <rule>` also explains why it matters, with an example.",
    "A preset decides for a check and, for rules that apply to a guard, also for a guard. `agentprint.config.json` decides",
    "differently about a rule that is marked with *.",
    ...commands.flatMap((command) =>
      section(
        command,
        rules.filter((rule) => rule.command === command),
      ),
    ),
    "",
  ].join("\n");
}

const HEADER = ["rule", "strict", "compatible", "breaking", "meaning", "what to do"];

function section(command: string, rules: readonly ListedRule[]): string[] {
  const rows = rules.map((rule) => {
    const { id, isConfigurable, summary, help } = rule;
    const decisions = presetDecisions(rule);
    return [
      `<a id="${ruleAnchor(id)}"></a>\`${id}\`${isConfigurable ? " \\*" : ""}`,
      ...PRESET_NAMES.map((preset) => decisionsInWords(id, decisions[preset])),
      cell(summary),
      cell(help),
    ];
  });
  const widths = HEADER.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map((text) => text.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return ["", `## \`${command}\``, "", line(HEADER), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

/** Escapes the text of a table cell, whose only markup is code between backticks. */
function cell(text: string): string {
  return text.replace(/`[^`]*`|[|<>*_]/g, (part) => (part.length > 1 ? part : `\\${part}`));
}
