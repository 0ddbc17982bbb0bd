import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint spec`. */
export const SPEC_COMMANDS: readonly CommandEntry[] = [
  {
    term: "hash [options] [file]",
    summary: "Print the 32-bit hash of a spec; as JSON, its strong fingerprint too",
    load: () => import("./spec-hash.ts"),
  },
  {
    term: "diff [options] <before> <after>",
    summary: "Show the fields, values and lines in which two specs differ; exit 1 if they do, 2 if that is unclear",
    load: () => import("./spec-diff.ts"),
  },
  {
    term: "check [options] [file]",
    summary: "Check a spec against what a run recorded; exit 1 if it drifted, 2 if that is unclear",
    load: () => import("./spec-check.ts"),
  },
];
