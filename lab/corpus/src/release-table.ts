import { judgeVersion } from "@agentprint/release";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import type { CorpusResults } from "./results.ts";

/**
 * Returns the release package's README with the table that shows how the authors in the corpus chose their version
 * numbers.
 */
export function withReleaseTable(text: string, results: CorpusResults): string {
  return withPart(text, "authors", releaseTable(results));
}

const HEAD = [
  "server",
  "upgrades",
  "with dates as versions",
  "major",
  "of these, callers break",
  "major, but the version says less",
  "of these, callers break",
];

function releaseTable({ upgrades, servers, date, commit }: CorpusResults): string {
  const real = upgrades.filter(({ from, to }) => from !== to);
  const rows = servers
    .map(({ name, package: title }) => [title, ...countsOf(real.filter(({ server }) => server === name))])
    .filter(([, count]) => count !== "0");
  const measured = `From the corpus run on ${date} at \`${commit.slice(0, 10)}\`; callers break if the preset \`breaking\` has an error.`;
  return `${measured}\n\n${markdownTable(HEAD, [...rows, ["**all**", ...countsOf(real)]])}`;
}

function countsOf(upgrades: CorpusResults["upgrades"]): string[] {
  const judged = upgrades.map(({ from, to, stops }) => ({ stops, ...judgeVersion(from, to, "major") }));
  const major = judged.filter(({ stops }) => stops.compatible);
  const small = major.filter(({ isEnough }) => !isEnough);
  const dated = judged.filter(({ isCalendar }) => isCalendar);
  const breaking = [major, small].map((all) => all.filter(({ stops }) => stops.breaking));
  return [judged, dated, major, breaking[0], small, breaking[1]].map((all = []) => String(all.length));
}
