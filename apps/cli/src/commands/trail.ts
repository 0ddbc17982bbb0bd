import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint trail`. */
export const TRAIL_COMMANDS: readonly CommandEntry[] = [
  {
    term: "append [options] <store> [content]",
    summary: "Record a thought; its content is the argument, or standard input",
    load: () => import("./trail-append.ts"),
  },
  {
    term: "import <store> [file]",
    summary: "Verify the chains of a JSON Lines file, then add all of them or none",
    load: () => import("./trail-import.ts"),
  },
  {
    term: "list [options] <store>",
    summary: "Print records of a task, or the tasks, as JSON Lines",
    load: () => import("./trail-list.ts"),
  },
  {
    term: "show [options] <source> [id]",
    summary: "Show a run as a timeline or a page, and whether it is intact; or one record",
    load: () => import("./trail-show.ts"),
  },
  {
    term: "export [options] <store>",
    summary: "Print all records, or those of a task, as JSON Lines",
    load: () => import("./trail-export.ts"),
  },
  {
    term: "verify [options] [source...]",
    summary: "Verify stores, JSON Lines files or standard input, and report which record was altered, cut or forked",
    load: () => import("./trail-verify.ts"),
  },
  {
    term: "erase <content-keys> <task>",
    summary: "Delete the key of a task: its encrypted contents are erased, its chain stays intact",
    load: () => import("./trail-erase.ts"),
  },
  {
    term: "keygen <name> <file>",
    summary: "Make a key for checkpoints: the secret into a file, the public keys to standard output",
    load: () => import("./trail-keygen.ts"),
  },
  {
    term: "checkpoint [options] <store>",
    summary: "Sign a task's current chain; the signed note is stored and printed",
    load: () => import("./trail-checkpoint.ts"),
  },
  {
    term: "partition [options] <store>",
    summary: "Partition the tables of a PostgreSQL store by time, so that old records can be dropped",
    load: () => import("./trail-partition.ts"),
  },
  {
    term: "prune [options] <store>",
    summary: "Sign the records of old PostgreSQL partitions, then drop them: the rest can still be verified",
    load: () => import("./trail-prune.ts"),
  },
  {
    term: "prove [options] <store> <id>",
    summary: "Print the proof that a record is in the chain of the first --size records of its task",
    load: () => import("./trail-prove.ts"),
  },
];
