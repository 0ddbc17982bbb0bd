import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint key`. */
export const KEY_COMMANDS: readonly CommandEntry[] = [
  {
    term: "generate <file>",
    summary: "Make a key that signs statements: the private key into a file, the public one to standard output",
    load: () => import("./key-generate.ts"),
  },
  {
    term: "rotate [options]",
    summary: "Sign that another key replaces yours from now on",
    load: () => import("./key-rotate.ts"),
  },
  {
    term: "revoke [options]",
    summary: "Sign that one of your keys is no longer valid",
    load: () => import("./key-revoke.ts"),
  },
];
