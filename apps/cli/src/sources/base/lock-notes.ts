import { count, type Finding } from "@agentprint/findings";
import {
  diffLocks,
  LOCK_VERSION,
  type LockedKeys,
  type LockedServer,
  type LockedSkills,
  type LockFile,
} from "@agentprint/mcp-lock";
import { driftFindings } from "@agentprint/mcp-lock/rules";
import type { PolicyJudgement } from "../../base-commit/judge-policy.ts";
import type { Base } from "../../base-commit/read-base.ts";
import { itemsInWords, launchInWords } from "../../lock/entry-summary.ts";

/**
 * Returns the changes that were accepted between two locks, as notes for the reviewer. The notes carry the rules and
 * verdicts of a check but are not differences, because the servers are compared with the later lock.
 *
 * @param names The servers to report on; all servers if empty
 */
export async function lockNotes(
  { name: base, lock: before }: Base,
  after: LockFile,
  names: readonly string[],
): Promise<Finding[]> {
  const isAbout = ({ name }: LockedServer): boolean => names.length === 0 || names.includes(name);
  const [was, is] = [before?.servers ?? [], after.servers].map((entries) => entries.filter(isAbout)) as [
    LockedServer[],
    LockedServer[],
  ];
  const find = (entries: readonly LockedServer[], name: string) => entries.find((entry) => entry.name === name);
  const note = `Compared with the lock at ${base}`;
  const ofServers = driftFindings(
    diffLocks({ lockVersion: LOCK_VERSION, servers: was }, { lockVersion: LOCK_VERSION, servers: is }),
  ).filter(({ isRemark }) => isRemark !== true);
  const ofSkills = names.length === 0 ? await skillChanges(before?.skills, after.skills) : [];
  return [
    ...was.filter(({ name }) => !find(is, name)).map((entry) => serverNote("removed", entry, note)),
    ...is.filter(({ name }) => !find(was, name)).map((entry) => serverNote("added", entry, note)),
    ...keyNotes(before?.authorKeys, after.authorKeys, note).filter(
      ({ place: { server } }) => names.length === 0 || names.includes(server ?? ""),
    ),
    ...[...ofServers, ...ofSkills].map(
      (finding): Finding => ({
        ...finding,
        level: "note",
        message: `approved in this change: ${finding.message}`,
        isRemark: true,
      }),
    ),
  ];
}

/**
 * Returns notes on keys that replace others and on keys that are revoked, each with its current line in the lock.
 */
function keyNotes(before: readonly LockedKeys[] = [], after: readonly LockedKeys[] = [], note: string): Finding[] {
  const linesOf = ({ successors, revoked }: Pick<LockedKeys, "successors" | "revoked">): string[] => [
    ...successors.map(({ key, successor }) => `${successor} replaces ${key}`),
    ...revoked.map(({ key, since }) => `${key} has been revoked since ${since}`),
  ];
  return after.flatMap((is) => {
    const was = before.find(({ server }) => server === is.server) ?? { successors: [], revoked: [] };
    const known = new Set(linesOf(was));
    const learned = linesOf(is).filter((line) => !known.has(line));
    if (learned.length === 0) return [];
    return {
      rule: "lock/author-keys",
      level: "note",
      place: { subject: is.server, server: is.server },
      message: "approved in this change: the keys that sign for the server",
      after: learned,
      note,
      isRemark: true,
    };
  });
}

async function skillChanges(before: LockedSkills | undefined, after: LockedSkills | undefined): Promise<Finding[]> {
  if (after === undefined) return [];
  const { compareSkills } = await import("@agentprint/skills");
  return compareSkills(before ?? { folders: [], instructions: [] }, after);
}

function serverNote(what: "added" | "removed", entry: LockedServer, note: string): Finding {
  const { name } = entry;
  const value = `${launchInWords(entry)}, ${itemsInWords(entry)}`;
  return {
    rule: `lock/server-${what}`,
    level: "note",
    place: { subject: name, server: name },
    message: `approved in this change: the server was ${what === "added" ? "added to" : "removed from"} the lock`,
    ...(what === "added" ? { after: value } : { before: value }),
    note,
    isRemark: true,
  };
}

/**
 * Returns sentences about a change against its base: the commit that judges it, and counts of the parts that it
 * approves, removes, adds and weakens.
 */
export function changeSentences(
  { commit }: Base,
  notes: readonly Finding[],
  { weakened, strengthened }: Pick<PolicyJudgement, "weakened" | "strengthened">,
): string[] {
  const removed = notes.filter(({ rule }) => rule === "lock/server-removed");
  const added = notes.filter(({ rule }) => rule === "lock/server-added");
  const approved = notes.filter((note) => !removed.includes(note) && !added.includes(note));
  const parts = [
    removed.length > 0 ? `removes ${count(removed.length, "server")} from the lock` : "",
    added.length > 0 ? `adds ${count(added.length, "server")} to the lock` : "",
    approved.length > 0 ? `approves ${count(approved.length, "finding")} (${byRule(approved)})` : "",
    weakened.length > 0 ? `weakens the policy in ${count(weakened.length, "place")} (${byRule(weakened)})` : "",
    strengthened.length > 0 ? `strengthens the policy in ${count(strengthened.length, "place")}` : "",
  ].filter((part) => part !== "");
  return [
    `Judged by the base ${commit.id}`,
    `This change ${parts.join(", ") || "approves, removes, adds and weakens nothing"}`,
  ];
}

function byRule(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, times]) => `${rule} ${times}`).join(", ");
}
