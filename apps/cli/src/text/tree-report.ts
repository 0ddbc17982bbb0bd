import { posix } from "node:path";
import type { TreeManifest } from "@agentprint/content-hash";
import { count, type Finding, type Report } from "@agentprint/findings";
import type { HashedTree } from "../text/hash-tree.ts";
import { TREE_RULES, type TreeRuleId } from "../text/tree-rules.ts";
import { leftOutFindings, treeFinding } from "./left-out-findings.ts";

const COMMAND = "agentprint text tree";

/** Returns the report on a hashed tree and its differences from the recorded manifest. */
export function treeReport(
  root: string,
  tree: HashedTree,
  after: TreeManifest,
  before: TreeManifest | undefined,
): Report {
  const unreadable = [...tree.failures].map(
    ([path, reason]): Finding => ({
      ...treeFinding("text/file-unreadable", `could not be ${path.endsWith("/") ? "read" : "hashed"}: ${reason}`, path),
      couldNotTell: true,
    }),
  );
  const leftOut = leftOutFindings(tree.leftOut, tree.entries, before !== undefined);
  const unseen = leftOut.filter(({ couldNotTell }) => couldNotTell);
  const differences = before === undefined ? [] : compareFiles(root, before, after, tree.failures);
  const checked = [...tree.entries.keys(), ...tree.failures.keys(), ...subjectsOf(differences, "text/file-removed")];
  return {
    command: COMMAND,
    title: before === undefined ? COMMAND : `${COMMAND} --check`,
    summary: summarize(checked.length, unreadable.length, unseen.length, differences.length, before, after),
    findings: [...unreadable, ...unseen, ...differences, ...leftOut.filter(({ level }) => level === "note")],
    rules: TREE_RULES,
    checked: [...new Set([...checked, ...leftOut.map(({ place }) => place.subject)])],
    data: {
      level: after.level,
      digest: after.digest,
      recorded: before?.digest ?? null,
      files: checked.length,
      changed: subjectsOf(differences, "text/file-changed"),
      added: subjectsOf(differences, "text/file-added"),
      removed: subjectsOf(differences, "text/file-removed"),
      unreadable: [...tree.failures.keys()],
      leftOut: tree.leftOut.map(({ path }) => path),
    },
  };
}

function compareFiles(
  root: string,
  before: TreeManifest,
  after: TreeManifest,
  failures: HashedTree["failures"],
): Finding[] {
  const folders = [...failures.keys()].filter((path) => path.endsWith("/"));
  // An unreadable file is treated neither as removed nor as unchanged.
  const isUnread = (path: string): boolean => failures.has(path) || folders.some((folder) => path.startsWith(folder));
  const [filesBefore, filesAfter] = [new Map(Object.entries(before.files)), new Map(Object.entries(after.files))];
  const paths = [...new Set([...filesBefore.keys(), ...filesAfter.keys()])].sort();
  return paths.flatMap((path): Finding[] => {
    const [entryBefore, entryAfter] = [filesBefore.get(path), filesAfter.get(path)];
    if (isUnread(path) || (entryBefore?.sha256 === entryAfter?.sha256 && entryBefore?.as === entryAfter?.as)) return [];
    if (entryBefore === undefined) return [treeFinding("text/file-added", "is not in the manifest", path)];
    if (entryAfter === undefined) return [treeFinding("text/file-removed", "is gone", path)];
    return [
      {
        ...treeFinding("text/file-changed", "changed", path),
        place: { subject: path, location: { file: posix.join(root, path) } },
        before: { ...entryBefore },
        after: { ...entryAfter },
      },
    ];
  });
}

function subjectsOf(findings: readonly Finding[], wanted: TreeRuleId): string[] {
  return findings.filter(({ rule }) => rule === wanted).map(({ place }) => place.subject);
}

function summarize(
  files: number,
  unreadable: number,
  unseen: number,
  differences: number,
  before: TreeManifest | undefined,
  after: TreeManifest,
): string {
  const counted = count(files, "file");
  if (unreadable > 0) return `${unreadable} of ${counted} could not be hashed`;
  if (unseen > 0) return `${counted}, and ${count(unseen, "more place")} that cannot be checked`;
  if (before === undefined) return `${counted} at level ${after.level}: ${after.digest}`;
  return differences === 0 ? `${counted}, none changed` : `${differences} of ${counted} changed`;
}
