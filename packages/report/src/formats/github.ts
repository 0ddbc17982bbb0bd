import type { Level, Report } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { type Excerpt, excerptText } from "../excerpt-text.ts";
import { MAX_ANNOTATION_LENGTH, MAX_ANNOTATIONS_SHOWN } from "../limits.ts";
import { findingLines, type ShownFinding } from "../shown-finding.ts";

const COMMAND = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Renders workflow commands that GitHub Actions shows as annotations: one for each change and one for the result, but
 * no more per level than GitHub shows for a step. A result that GitHub would cut continues in further annotations.
 */
export function renderGithub(report: Report, findings: readonly ShownFinding[]): string {
  const title = property(showText(report.title));
  const shown = annotated(report, findings);
  const result = resultOf(report, unannotated(findings, shown));
  return `${[...shown.map(annotation), ...result.map((text) => `::notice title=${title}::${data(text)}`)].join("\n")}\n`;
}

/**
 * Returns the findings that become annotations: the first ones of each level, as many as fit together with the notes.
 */
export function annotated(report: Report, findings: readonly ShownFinding[]): readonly ShownFinding[] {
  const notices = Math.max(0, MAX_ANNOTATIONS_SHOWN - resultOf(report, "").length);
  const left: Record<Level, number> = {
    error: MAX_ANNOTATIONS_SHOWN,
    warning: MAX_ANNOTATIONS_SHOWN,
    note: notices,
  };
  return findings.filter(({ finding: { level } }) => left[level]-- > 0);
}

function resultOf({ summary, change = [] }: Report, more: string): string[] {
  const [first, ...others] = piecesOf(summary);
  const sentences = change.map(showText).join("\n");
  // GitHub shows only the first annotations.
  const isOwn = others.length > 0 || first.length + sentences.length > MAX_ANNOTATION_LENGTH;
  const pieces = [first, ...others];
  if (sentences !== "" && isOwn) pieces.unshift(sentences);
  const below = sentences === "" || isOwn ? "" : `\n${sentences}`;
  return [...pieces.slice(0, -1), `${pieces.at(-1)}${below}${more}`];
}

/** Returns a text in escaped pieces, each of which fits into an annotation. */
function piecesOf(text: string): [string, ...string[]] {
  const piece = excerptText(text, MAX_ANNOTATION_LENGTH);
  return piece.rest === 0 ? [piece.text] : [piece.text, ...piecesOf(text.slice(text.length - piece.rest))];
}

function unannotated(findings: readonly ShownFinding[], shown: readonly ShownFinding[]): string {
  const more = (["error", "warning", "note"] as const).flatMap((level) => {
    const [all = 0, some = 0] = [findings, shown].map(
      (list) => list.filter((each) => each.finding.level === level).length,
    );
    return all > some ? [`${some} of ${all} ${level}s`] : [];
  });
  if (more.length === 0) return "";
  return `\nGitHub shows ${more.join(", ")} of a step as annotations; the report in Markdown, for the job summary, has all of them`;
}

/** Returns as many of the subjects' names as fit into an annotation with the finding. */
function namesOf(shown: ShownFinding): Excerpt {
  const { subjects } = shown;
  if (subjects.length === 1) return { text: "", rest: 0 };
  const used = findingLines(shown).join("\n").length;
  const { text, rest } = excerptText(subjects.join(", "), Math.max(0, MAX_ANNOTATION_LENGTH - used));
  return { text: `\n${subjects.length} of them: ${text}${rest > 0 ? ` … (${rest} more)` : ""}`, rest };
}

/** Returns whether an annotation shows everything except text that did not change. */
export function isWholeAnnotation(shown: ShownFinding): boolean {
  return shown.isWhole && namesOf(shown).rest === 0;
}

function annotation(shown: ShownFinding): string {
  const { finding, subjects } = shown;
  const { file, line, column } = finding.place.location ?? {};
  const [first, ...others] = subjects;
  const properties = [
    ["file", file === undefined ? undefined : showText(file)],
    ["line", line],
    ["col", column],
    ["title", others.length === 0 ? first : `${first} and ${others.length} more`],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  const text = `${findingLines(shown).join("\n")}${namesOf(shown).text}`;
  return `::${COMMAND[finding.level]} ${properties.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
