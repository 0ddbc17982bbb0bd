import type { LongTest } from "./long-test.ts";

const CORPUS = ["lab/corpus/package-lock.json", "packages/mcp-lock/src", "packages/policy/src"];
const GUARD = ["apps/cli/src/guard", "packages/guard-proxy/src"];
const JUDGED = [...GUARD, "packages/guard/src", "packages/mcp-lock/src"];

/** The long tests of the lock and the guard, some of them with real servers. */
export const MCP: readonly LongTest[] = [
  {
    name: "config-secrets",
    about: "random secrets in the configurations of every client, 100 times for each: none is on a stream or in a file",
    command: ["pnpm", "exec", "vitest", "run", "--project", "apps/cli", "config-secrets"],
    env: { CONFIG_SECRET_RUNS: "100" },
    folders: ["apps/cli/src", "apps/cli/test/clients", "packages/client-configs/src", "packages/mcp-lock/src"],
  },
  {
    name: "guard-cost",
    about:
      "what a guard adds to the cost of a call, compared with processes that only pass bytes on and with mcp-pin; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "lab", "guard-cost"],
    folders: ["lab/guard-cost", ...JUDGED, "packages/recorder/src"],
  },
  {
    name: "guard-memory",
    about:
      "how much memory a guard takes that records into a PostgreSQL that was stopped; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "lab", "guard-memory"],
    folders: ["lab/guard-cost", ...GUARD, "packages/recorder/src", "packages/trail-store/src"],
  },
  {
    name: "guard-attacks",
    about:
      "endless and slow bodies, floods, cursors in circles, streams cut at every byte, sessions and keys by the thousand, two guards on one record, " +
      "a full disk, a clock set back; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "lab", "guard-attacks"],
    folders: ["lab/guard-attacks", ...GUARD, "packages/guard/src", "packages/recorder/src"],
  },
  {
    name: "lock-in-force",
    about:
      "a lock and a policy edited, broken and deleted 12 times in each of 50 runs under a guard that has to follow",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "nightly", "--project", "apps/cli", "lock-in-force"],
    env: { LOCK_MODEL_RUNS: "50", LOCK_MODEL_EDITS: "12" },
    folders: [...JUDGED, "packages/policy/src"],
  },
  {
    name: "corpus",
    about:
      "43 upgrades of real servers and 300 hostile edits, side by side with other tools; writes apps/cli/README.md",
    command: ["pnpm", "--filter", "lab", "corpus"],
    folders: [...CORPUS, "lab/corpus/main.ts", "lab/corpus/src", "packages/mcp-visit/src", "packages/schema-diff/src"],
  },
  {
    name: "causes",
    about: "undoes each cause of a break that a report on an upgrade in the corpus names; writes apps/cli/README.md",
    command: ["pnpm", "--filter", "lab", "corpus:causes"],
    folders: [...CORPUS, "lab/corpus/causes.ts", "lab/corpus/src/causes", "packages/report/src"],
  },
  {
    name: "releases",
    about: "every upgrade in the corpus that changed a tool, behind the guard; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "lab", "corpus:guard"],
    folders: [...CORPUS, ...GUARD, "lab/corpus/guard.ts", "lab/corpus/src/guard", "packages/guard/src"],
  },
  {
    name: "conformance",
    about: "the official conformance suite, directly and through the guard; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "agentprint", "conformance", "--write"],
    folders: ["apps/cli/scripts/conformance", "apps/cli/test/conformance", ...JUDGED],
  },
  {
    name: "guard-messages",
    about:
      "100,000 messages in each direction, changed in arbitrary places, sent through a running guard over standard streams and HTTP",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "guard-any-message"],
    env: { MESSAGES: "100000" },
    folders: [
      ...GUARD,
      "apps/cli/test/guard",
      "packages/canonical-json/src",
      "packages/guard/src",
      "packages/guard/test/support",
      "packages/testing/src/messages",
    ],
  },
  {
    name: "fleet",
    about: "the settings of docs/fleet.md, tried with the newest Claude Code, Codex and Gemini CLI",
    command: ["pnpm", "--filter", "lab", "fleet"],
    folders: ["docs/fleet.md", "lab/fleet"],
  },
];
