import { escapeText, markdownCode, markdownProse } from "@agentprint/report";
import type { ReleaseChange, ReleaseVerdict } from "./judge-release.ts";

/**
 * The Keep a Changelog sections that an entry can have, with the rules whose changes they list; other changes are
 * `Changed`.
 */
const SECTIONS: readonly (readonly [title: string, rule: string | undefined])[] = [
  ["Added", "mcp/item-added"],
  ["Changed", undefined],
  ["Removed", "mcp/item-removed"],
];

/** Notes longer than this number of UTF-16 code units are only in the report. */
const MAX_NOTE_LENGTH = 400;

/**
 * Returns a release's entry in Keep a Changelog format: the additions, changes and removals, item by item, with the
 * call that breaks. An entry without changes says so.
 *
 * @param date The day of the release, `YYYY-MM-DD`; without it, the entry has no date
 */
export function changelogEntry(
  verdict: ReleaseVerdict,
  { version, date }: { readonly version: string; readonly date?: string },
): string {
  const heading = `## [${version}]${date === undefined ? "" : ` - ${date}`}`;
  return `${[heading, ...sectionsOf(verdict, "###")].join("\n\n")}\n`;
}

/**
 * Returns a changeset for a release with the package's level and the same text as {@link changelogEntry}; `undefined`
 * if nothing changed.
 *
 * @param name The package's name
 */
export function changesetText(verdict: ReleaseVerdict, name: string): string | undefined {
  if (verdict.level === "none") return undefined;
  const summary = ["The server's tools changed.", ...sectionsOf(verdict, "####")].join("\n\n");
  return `---\n${JSON.stringify(name)}: ${verdict.level}\n---\n\n${summary}\n`;
}

function sectionsOf({ changes }: ReleaseVerdict, mark: string): string[] {
  const shown = changes.filter(({ finding }) => finding.rule !== "mcp/server-version-changed");
  if (shown.length === 0) return ["The tools are the same as before."];
  const own = new Set(SECTIONS.map(([, rule]) => rule));
  return SECTIONS.flatMap(([title, rule]) => {
    const inSection = shown.filter(({ finding }) => (own.has(finding.rule) ? finding.rule : undefined) === rule);
    return inSection.length === 0 ? [] : [`${mark} ${title}`, linesOf(inSection).join("\n")];
  });
}

/** Returns one line for each item. */
function linesOf(changes: readonly ReleaseChange[]): string[] {
  const bySubject = new Map<string, ReleaseChange[]>();
  for (const change of changes) {
    const { subject } = change.finding.place;
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), change]);
  }
  return [...bySubject].map(([subject, own]) => {
    const mark = own.some(({ breaks }) => breaks) ? "**Breaking:** " : "";
    return `- ${mark}${code(nameOf(subject, own))}: ${sentencesOf(own).join("; ")}`;
  });
}

/** Returns one sentence for all places whose changes have the same text. */
function sentencesOf(changes: readonly ReleaseChange[]): string[] {
  const sentences = new Map<string, { readonly words: readonly [string, string]; readonly pointers: string[] }>();
  for (const change of changes) {
    const { pointer } = change.finding.place;
    const words = wordsOf(change);
    const key = JSON.stringify(words);
    const sentence = sentences.get(key) ?? { words, pointers: [] };
    sentences.set(key, sentence);
    if (pointer !== undefined) sentence.pointers.push(code(pointer));
  }
  return [...sentences.values()].map(({ words: [message, proof], pointers }) => {
    return `${message}${pointers.length > 0 ? ` at ${pointers.join(", ")}` : ""}${proof}`;
  });
}

/** Returns a tool's name, or the item's name after the server's name. */
function nameOf(subject: string, [change]: readonly ReleaseChange[]): string {
  const { tool, server = "" } = change?.finding.place ?? {};
  return tool ?? (subject.startsWith(`${server} › `) ? subject.slice(server.length + 3) : subject);
}

/** Returns the text of a change before its place, and the text after it. */
function wordsOf({ finding: { message, note }, breaks }: ReleaseChange): readonly [message: string, proof: string] {
  const proof = breaks && note !== undefined && note.length <= MAX_NOTE_LENGTH ? note.replace(/^Breaking: /, "") : "";
  return [prose(message), proof === "" ? "" : ` (${prose(proof)})`];
}

/** Returns a server's text as inline code. */
function code(text: string): string {
  return markdownCode(escapeText(text));
}

/** Returns a server's text for a sentence. */
function prose(text: string): string {
  return markdownProse(escapeText(text));
}
