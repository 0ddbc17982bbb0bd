import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint text`. */
export const TEXT_COMMANDS: readonly CommandEntry[] = [
  {
    term: "hash [options] [files...]",
    summary: "Print the SHA-256 of the normalized text of files",
    load: () => import("./text-hash.ts"),
  },
  {
    term: "compare [options] <before> <after>",
    summary: "Report whether two texts differ in more than formatting; exit 1 if they do",
    load: () => import("./text-compare.ts"),
  },
  {
    term: "tree [options] [folder]",
    summary: "Hash every file of a folder that .gitignore does not name; write a manifest or check against one",
    load: () => import("./text-tree.ts"),
  },
];
