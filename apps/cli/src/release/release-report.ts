import type { Project } from "@agentprint/artifacts";
import type { Finding, Report } from "@agentprint/findings";
import { DRIFT_RULES, type LockedServer } from "@agentprint/mcp-lock";
import {
  type DefinitionCost,
  judgeVersion,
  RELEASE_RULES,
  type ReleaseChange,
  type ReleaseVerdict,
  type VersionVerdict,
} from "@agentprint/release";
import { explained } from "./read-declared.ts";
import type { ReleasedSide } from "./released-side.ts";

/** An upcoming release: the package, its version, and its tools. */
export interface ComingRelease {
  readonly project: Project;
  readonly declared: string;
  readonly entry: LockedServer;
}

/** The notes for the author, which never affect the outcome, and the cost of the definitions. */
export interface Hygiene {
  readonly cost: DefinitionCost;
  readonly findings: readonly Finding[];
}

/**
 * Returns the report on a release: whether its version is sufficient, and the changes by the bump that they require.
 *
 * @param snapshot The findings on the snapshot in the repository
 */
export function releaseReport(
  { project, declared, entry }: ComingRelease,
  released: ReleasedSide,
  { level, changes }: ReleaseVerdict,
  snapshot: readonly Finding[],
  { cost, findings: notes }: Hygiene,
): Report {
  const judged = explained(project.file, () => judgeVersion(released.version, declared, level));
  const own = judged.isEnough ? [] : [tooSmall(project, declared, judged)];
  const findings = [
    ...own,
    ...snapshot,
    ...SECTIONS.flatMap(({ title, has }) => changes.filter(has).map(inSection(title))),
    ...notes,
  ];
  const { name } = project;
  return {
    command: "agentprint release",
    title: "agentprint release",
    summary: `${summaryOf(released.version, declared, level, judged)}${differs(snapshot)}`,
    change: [...released.said, ...(judged.isCalendar ? [CALENDAR] : [])],
    findings,
    rules: { ...DRIFT_RULES, ...RELEASE_RULES },
    checked: checkedIn(name, entry),
    data: {
      release: { name, last: released.version, declared, level, ...judged },
      cost,
      levels: changes.map(({ finding: { rule, place }, level, breaks }) => ({ rule, place, level, breaks })),
    },
  };
}

/**
 * Returns the report before the first release, where every version is enough.
 *
 * @param snapshot The findings on the snapshot in the repository
 */
export function firstReleaseReport(
  { project, declared, entry }: ComingRelease,
  snapshot: readonly Finding[],
  { cost, findings: notes }: Hygiene,
): Report {
  const { name } = project;
  return {
    command: "agentprint release",
    title: "agentprint release",
    summary: `first release: the registry has no ${name}, so ${declared} is enough${differs(snapshot)}`,
    findings: [...snapshot, ...notes],
    rules: RELEASE_RULES,
    checked: checkedIn(name, entry),
    data: { release: { name, declared, level: "none", isEnough: true }, cost },
  };
}

function checkedIn(name: string, entry: LockedServer): string[] {
  return [name, ...entry.tools.map(({ definition }) => `${entry.name} › ${String(definition["name"])}`)];
}

function differs(snapshot: readonly Finding[]): string {
  return snapshot.length > 0 ? "; the snapshot differs" : "";
}

const CALENDAR = "The versions are dates, which say nothing about the change: any later one is enough";

function summaryOf(last: string, declared: string, level: string, { isEnough, least }: VersionVerdict): string {
  const step = `${last} → ${declared}`;
  if (level === "none") return `nothing changed: ${step}${isEnough ? "" : " is not a later version"}`;
  return `${level}: ${step} ${isEnough ? "is enough" : `is too small, at least ${least}`}`;
}

function tooSmall({ name, file }: Project, declared: string, { least }: VersionVerdict): Finding {
  return {
    rule: "release/version-too-small",
    level: "error",
    place: { subject: name, location: { file } },
    message: "the declared version bump is too small for the change",
    before: declared,
    after: least,
  };
}

/** The sections of the report; each change appears in one of them. */
const SECTIONS: readonly { readonly title: string; has(change: ReleaseChange): boolean }[] = [
  { title: "Major: callers break, or may break", has: ({ level, breaks }) => level === "major" && breaks },
  { title: "Major: changes that users have to review", has: ({ level, breaks }) => level === "major" && !breaks },
  { title: "Minor", has: ({ level }) => level === "minor" },
  { title: "Patch", has: ({ level }) => level === "patch" },
];

/** Returns a function that makes the finding about a change; the outcome depends on the version, not on the changes. */
function inSection(section: string): (change: ReleaseChange) => Finding {
  return ({ finding, level }) => ({
    ...finding,
    message: `${finding.message} (${level})`,
    section,
    ...(level === "patch" ? { level: "note" } : { isAllowed: true }),
  });
}
