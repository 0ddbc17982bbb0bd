import { posix } from "node:path";
import type { Finding, Report, Rule } from "@agentprint/report";
import type { HashedTree } from "./hash-tree.ts";
import { leftOutFindings } from "./left-out-findings.ts";
import type { TreeManifest } from "./tree-manifest.ts";

const COMMAND = "agentprint text tree";

/** What each finding about a tree of files means and what to do about it. */
export const TREE_RULES: Record<
  "file-changed" | "file-added" | "file-removed" | "file-unreadable" | "left-out" | "left-out-unseen",
  Rule
> = {
  "file-changed": {
    summary: "The content of a file differs.",
    help: "Review the file, then write the manifest again.",
  },
  "file-added": { summary: "A file is not in the manifest.", help: "Review the file, then write the manifest again." },
  "file-removed": { summary: "A file of the manifest is gone.", help: "Restore it, or write the manifest again." },
  "file-unreadable": {
    summary: "A file or a folder could not be read.",
    help: "Make it readable, or name it in a .gitignore.",
  },
  "left-out": { summary: "Files are not hashed, as Git would not track them.", help: "Nothing to do." },
  "left-out-unseen": {
    summary: "Files are not hashed, and nothing that is hashed says so.",
    help: "Review what is there, and name it in a .gitignore that is in the manifest.",
  },
};

/** What hashing a tree came to, and how it differs from the manifest that was recorded. */
export function treeReport(
  root: string,
  tree: HashedTree,
  current: TreeManifest,
  recorded: TreeManifest | undefined,
): Report {
  const unreadable = [...tree.failures].map(
    ([path, reason]): Finding => ({
      ruleId: "file-unreadable",
      level: "error",
      message: `could not be ${path.endsWith("/") ? "read" : "hashed"}: ${reason}`,
      subject: path,
      couldNotTell: true,
    }),
  );
  const leftOut = leftOutFindings(tree.leftOut, tree.entries, recorded !== undefined);
  const unseen = leftOut.filter(({ couldNotTell }) => couldNotTell);
  const differences = recorded === undefined ? [] : compareFiles(root, recorded, current, tree.failures);
  const checked = [...tree.entries.keys(), ...tree.failures.keys(), ...subjectsOf(differences, "file-removed")];
  return {
    command: COMMAND,
    title: recorded === undefined ? COMMAND : `${COMMAND} --check`,
    summary: summarize(checked.length, unreadable.length, unseen.length, differences.length, recorded, current),
    outcome: unreadable.length + unseen.length > 0 ? "unknown" : differences.length > 0 ? "drift" : "same",
    findings: [...unreadable, ...unseen, ...differences, ...leftOut.filter(({ level }) => level === "note")],
    rules: TREE_RULES,
    checked: [...new Set([...checked, ...leftOut.map(({ subject }) => subject)])],
    data: {
      level: current.level,
      digest: current.digest,
      recorded: recorded?.digest ?? null,
      files: checked.length,
      changed: subjectsOf(differences, "file-changed"),
      added: subjectsOf(differences, "file-added"),
      removed: subjectsOf(differences, "file-removed"),
      unreadable: [...tree.failures.keys()],
      leftOut: tree.leftOut.map(({ path }) => path),
    },
  };
}

function compareFiles(
  root: string,
  recorded: TreeManifest,
  current: TreeManifest,
  failures: HashedTree["failures"],
): Finding[] {
  const folders = [...failures.keys()].filter((path) => path.endsWith("/"));
  // What could not be read is neither gone nor the same.
  const isUnread = (path: string): boolean => failures.has(path) || folders.some((folder) => path.startsWith(folder));
  const before = new Map(Object.entries(recorded.files));
  const after = new Map(Object.entries(current.files));
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): Finding[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (isUnread(path) || (was?.sha256 === is?.sha256 && was?.as === is?.as)) return [];
    const about = { level: "error", subject: path } as const;
    if (was === undefined) return [{ ...about, ruleId: "file-added", message: "is not in the manifest" }];
    if (is === undefined) return [{ ...about, ruleId: "file-removed", message: "is gone" }];
    return [
      {
        ...about,
        ruleId: "file-changed",
        message: "changed",
        before: { ...was },
        after: { ...is },
        location: { file: posix.join(root, path) },
      },
    ];
  });
}

function subjectsOf(findings: readonly Finding[], rule: keyof typeof TREE_RULES): string[] {
  return findings.filter(({ ruleId }) => ruleId === rule).map(({ subject }) => subject);
}

function summarize(
  files: number,
  unreadable: number,
  unseen: number,
  differences: number,
  recorded: TreeManifest | undefined,
  current: TreeManifest,
): string {
  const counted = `${files} ${files === 1 ? "file" : "files"}`;
  if (unreadable > 0) return `${unreadable} of ${counted} could not be hashed`;
  if (unseen > 0) return `${counted}, and ${unseen} more ${unseen === 1 ? "place" : "places"} that cannot be checked`;
  if (recorded === undefined) return `${counted} at level ${current.level}: ${current.digest}`;
  return differences === 0 ? `${counted}, none changed` : `${differences} of ${counted} changed`;
}
