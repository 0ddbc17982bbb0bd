import { printable } from "@agentprint/canonical-json/text";
import { count } from "@agentprint/findings";
import type { NotRead } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";

/** Names of one kind that a notice lists, and characters of each. */
const [MAX_NAMES, MAX_NAME] = [20, 80];

/** Says how many prompts and resource templates of a server are not read with its contents, and which. */
export function noticeNotRead(context: Context, server: string, { prompts, resourceTemplates }: NotRead): void {
  const kinds = [
    ...inWords(prompts, "prompt", " with required arguments"),
    ...inWords(resourceTemplates, "resource template", ""),
  ];
  if (kinds.length === 0) return;
  printNotices(context, [`${server}: what a user fills in is not read, and not pinned: ${kinds.join("; ")}`]);
}

function inWords(names: readonly string[], one: string, which: string): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, MAX_NAME));
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return [`${count(names.length, one)}${which} (${shown.join(", ")}${more})`];
}
