import type { CommandEntry } from "./command-module.ts";

/** The commands of `agentprint manifest`. */
export const MANIFEST_COMMANDS: readonly CommandEntry[] = [
  {
    term: "init [file]",
    summary: "Write a small valid manifest to start from; an existing file is never overwritten",
    load: () => import("./manifest-init.ts"),
  },
  {
    term: "from-mcp [options] [command...]",
    summary: "Make a manifest from a live MCP server's tools, and list what cannot be carried over",
    load: () => import("./manifest-from-mcp.ts"),
  },
  {
    term: "validate [options] [file]",
    summary: "Report every problem of a manifest with its place; exit 1 if it is refused",
    load: () => import("./manifest-validate.ts"),
  },
  {
    term: "hash [options] [file]",
    summary: "Print the capability_manifest_hash of a valid manifest",
    load: () => import("./manifest-hash.ts"),
  },
  {
    term: "diff [options] <before> <after>",
    summary: "Report what the next manifest breaks; exit 1 unless every change is non-breaking",
    load: () => import("./manifest-diff.ts"),
  },
  {
    term: "bump [options] <before> <after>",
    summary: "Print the agent_version that the changes require: major if they break, minor if they add, else patch",
    load: () => import("./manifest-bump.ts"),
  },
  {
    term: "publish [options] [file]",
    summary: "Publish the next version of an agent's manifest in a registry; exit 1 if that breaks something",
    load: () => import("./manifest-publish.ts"),
  },
  {
    term: "pull [options]",
    summary: "Read an agent's manifest from a registry, or compare a file with it",
    load: () => import("./manifest-pull.ts"),
  },
  {
    term: "watch [options] <agent...>",
    summary: "Report every new version of agents in a registry, and what it breaks",
    load: () => import("./manifest-watch.ts"),
  },
];
