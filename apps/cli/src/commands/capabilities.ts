import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint capabilities`. */
export const CAPABILITIES_COMMANDS: readonly CommandEntry[] = [
  {
    term: "diff [options] <before> <after>",
    summary: "Report every difference between two turns",
    load: () => import("./capabilities-diff.ts"),
  },
  {
    term: "explain [options] <before> <after>",
    summary: "Explain in words why two turns differ",
    load: () => import("./capabilities-explain.ts"),
  },
];
