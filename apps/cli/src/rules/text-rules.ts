import type { Rule } from "@agentprint/report";

/** What each finding about two texts means and what to do about it. */
export const COMPARISON_RULES: Readonly<
  Record<"text/differs" | "text/formatting-differs" | "text/meaningful-white-space", Rule>
> = {
  "text/differs": { level: "error", summary: "Two texts differ.", help: "Review the change." },
  "text/formatting-differs": {
    level: "note",
    summary: "Two texts differ in formatting alone.",
    help: "Nothing has to be done.",
  },
  "text/meaningful-white-space": {
    level: "note",
    summary: "White space has a meaning in this language.",
    help: "Compare at level eol.",
  },
};

/** Id of a rule about a tree of files. */
export type TreeRuleId =
  | "text/file-changed"
  | "text/file-added"
  | "text/file-removed"
  | "text/file-unreadable"
  | "text/left-out"
  | "text/left-out-unseen";

/** What each finding about a tree of files means and what to do about it. */
export const TREE_RULES: Readonly<Record<TreeRuleId, Rule>> = {
  "text/file-changed": {
    level: "error",
    summary: "The content of a file differs.",
    help: "Review the file, then write the manifest again.",
  },
  "text/file-added": {
    level: "error",
    summary: "A file is not in the manifest.",
    help: "Review the file, then write the manifest again.",
  },
  "text/file-removed": {
    level: "error",
    summary: "A file of the manifest is gone.",
    help: "Restore the file, or write the manifest again.",
  },
  "text/file-unreadable": {
    level: "error",
    summary: "A file or a folder could not be read.",
    help: "Make it readable, or name it in a .gitignore.",
  },
  "text/left-out": {
    level: "note",
    summary: "Files are not hashed, as Git would not track them.",
    help: "Nothing has to be done.",
  },
  "text/left-out-unseen": {
    level: "error",
    summary: "Files are not hashed, and no hashed file says so.",
    help: "Review what is there, and name it in a .gitignore that is in the manifest.",
  },
};
