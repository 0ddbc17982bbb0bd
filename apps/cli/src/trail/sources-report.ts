import { count, outcomeOf, type Report } from "@agentprint/findings";
import { TRAIL_RULES } from "../trail/trail-rules.ts";

/** The report on a source of chains, or the reason why the source could not be read. */
export interface SourceResult {
  readonly name: string;
  readonly result: Report | { readonly code: string; readonly message: string };
}

/** Returns one report on several sources, in which each subject begins with its source. */
export function joinSources(sources: readonly SourceResult[]): Report {
  const all = sources.map(({ name, result }) => {
    const read = "findings" in result ? result : unread(name, result);
    return { name, ...read, outcome: outcomeOf(read) };
  });
  const bad = all.filter(({ outcome }) => outcome !== "same");
  return {
    command: "agentprint trail verify",
    title: "Trail verification",
    summary: [
      `${all.length - bad.length} of ${count(all.length, "source")} intact`,
      ...bad.map(({ name, summary }) => `${name}: ${summary}`),
    ].join("; "),
    couldNotTell: all.find(({ couldNotTell }) => couldNotTell !== undefined)?.couldNotTell,
    findings: all.flatMap(({ name, findings }) =>
      findings.map((finding) => ({
        ...finding,
        place: { ...finding.place, subject: inSource(name, finding.place.subject) },
      })),
    ),
    rules: TRAIL_RULES,
    checked: all.flatMap(({ name, checked }) => checked.map((subject) => inSource(name, subject))),
    data: { sources: all.map(({ data, outcome, summary }) => ({ ...data, outcome, summary })) },
  };
}

function unread(
  name: string,
  error: { readonly code: string; readonly message: string },
): Pick<Report, "checked" | "couldNotTell" | "data" | "findings" | "summary"> {
  return {
    summary: error.message,
    couldNotTell: error.message,
    findings: [],
    checked: [],
    data: { source: name, error: { code: error.code, message: error.message } },
  };
}

function inSource(name: string, subject: string): string {
  return `${name} › ${subject}`;
}
