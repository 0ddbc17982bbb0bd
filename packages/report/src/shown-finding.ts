import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { excerptText, shorten } from "./excerpt-text.ts";
import { MAX_COMPARED_LENGTH } from "./limits.ts";
import type { Finding } from "./report.ts";
import { showValues, type ValueLine } from "./shown-values.ts";

/** A finding for the formats that people read: its texts are escaped, and cut where they are too long for the format. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly subject: string;
  readonly message: string;
  readonly pointer?: string;
  readonly values: readonly ValueLine[];
  readonly note?: string;
  /** Whether everything is shown except text that is the same before and after. */
  readonly isWhole: boolean;
}

/** The shown form of findings, each with at most `maxLength` UTF-16 code units beside its subject. */
export function showFindings(findings: readonly Finding[], maxLength: number): ShownFinding[] {
  let comparable = MAX_COMPARED_LENGTH;
  return findings.map((finding) => {
    const maxText = Math.floor(maxLength / 4);
    let isWhole = true;
    const show = (text: string): string => {
      if (excerptText(text, maxText).rest > 0) isWhole = false;
      return shorten(text, maxText);
    };
    const { pointer } = finding.place;
    const subject = show(finding.place.subject);
    const texts = {
      message: show(finding.message),
      // The empty pointer is the subject itself.
      ...(pointer && { pointer: show(pointer) }),
      ...(finding.note !== undefined && { note: show(finding.note) }),
    };
    const [before, after] = [jsonText(finding.before), jsonText(finding.after)];
    const room = Object.values(texts).reduce((left, text) => left - text.length, maxLength);
    const values = showValues(before, after, room, comparable);
    comparable = Math.max(0, comparable - (before?.length ?? 0) - (after?.length ?? 0));
    return { finding, subject, ...texts, values, isWhole: isWhole && values.at(-1)?.sign !== "!" };
  });
}

/** The findings of each subject together, subjects in the order in which they first appear. */
export function findingsBySubject(findings: readonly ShownFinding[]): Map<string, [ShownFinding, ...ShownFinding[]]> {
  const groups = new Map<string, [ShownFinding, ...ShownFinding[]]>();
  for (const shown of findings) {
    const { subject } = shown.finding.place;
    const group = groups.get(subject);
    if (group === undefined) groups.set(subject, [shown]);
    else group.push(shown);
  }
  return groups;
}

/** A finding in lines, without its subject. */
export function findingLines({ message, pointer, values, note }: ShownFinding): string[] {
  return [
    `${message}${pointer === undefined ? "" : ` at ${pointer}`}`,
    ...values.map(({ sign, text }) => `${sign} ${text}`),
    ...(note === undefined ? [] : [note]),
  ];
}

function jsonText(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : canonicalize(value, { profile: "ecmascript" });
}
