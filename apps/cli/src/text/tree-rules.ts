import type { Rules } from "@agentprint/findings";

/** Id of a rule about a tree of files. */
export type TreeRuleId =
  | "text/file-changed"
  | "text/file-added"
  | "text/file-removed"
  | "text/file-unreadable"
  | "text/left-out"
  | "text/left-out-unseen";

/** The meaning of each finding about a tree of files, and its remedy. */
export const TREE_RULES: Rules<TreeRuleId> = {
  "text/file-changed": {
    level: "error",
    summary: "The content of a file differs.",
    help: "Review the file, then write the manifest again.",
    why: "The file is not the reviewed one.",
    example: { text: "A line was added to a script.", before: "run()", after: "run()\nsend()" },
  },
  "text/file-added": {
    level: "error",
    summary: "A file is not in the manifest.",
    help: "Review the file, then write the manifest again.",
    why: "A file that nobody reviewed can be loaded like any other file.",
    example: { text: "A folder got a second script.", after: "plugins/new.js" },
  },
  "text/file-removed": {
    level: "error",
    summary: "A file in the manifest is gone.",
    help: "Restore the file, or write the manifest again.",
    why: "Programs that rely on the file fail, or use another file with its name.",
    example: { text: "A file of rules is gone.", before: "rules.md" },
  },
  "text/file-unreadable": {
    level: "error",
    summary: "A file or a folder could not be read.",
    help: "Make it readable, or name it in a .gitignore.",
    why: "An unreadable file cannot be compared.",
    example: { text: "The user who runs the check may not read a folder.", after: "secrets/" },
  },
  "text/left-out": {
    level: "note",
    summary: "Files are not hashed, because Git would not track them.",
    help: "Nothing to do.",
    why: "Files that Git does not track are made by programs, and differ from machine to machine.",
    example: { text: "A build folder is in .gitignore.", after: "dist/" },
  },
  "text/left-out-unseen": {
    level: "error",
    summary: "Files are not hashed, and no hashed file shows it.",
    help: "Review what is left out, and name it in a .gitignore that is in the manifest.",
    why: "An ignore rule outside the tree, such as the global one of a machine, hides files from the check without a trace.",
    example: { text: "A global rule leaves out all scripts.", after: "*.sh" },
  },
};
