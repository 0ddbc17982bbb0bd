/** A test that takes too long for CI. */
export interface LongTest {
  readonly name: string;
  /** A description, for the table. */
  readonly about: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The tested folders: the figures are stale once one of these changed. */
  readonly folders: readonly string[];
}

const CORPUS = ["apps/bench/corpus/package-lock.json", "packages/mcp-lock/src", "packages/policy/src"];
const store = (script: string): LongTest["command"] => ["pnpm", "--filter", "@agentprint/trail-store", script];
const GUARD = ["apps/cli/src/guard", "packages/guard-proxy/src"];
const JUDGED = [...GUARD, "packages/guard/src", "packages/mcp-lock/src"];
const TRAIL = ["packages/canonical-json/src", "packages/trail/src"];
const STORE = [...TRAIL, "packages/trail-store/src", "packages/trail-store/scripts"];
const REGISTRY = [
  ...STORE,
  "packages/manifest/src",
  "apps/registry/src",
  "apps/registry/test/support",
  "apps/registry/scripts",
];
const MCP_SERVER = [...STORE, "apps/mcp-server/src", "apps/mcp-server/test/support"];
const TENANTS = "fixtures/tools/tenant-timings";
const PORTS = ["fixtures/ports", "fixtures/src", "fixtures/test"];
const FINGERPRINTS = [
  "packages/agent-capabilities/src",
  "packages/canonical-json/src",
  "packages/content-hash/src",
  "packages/drover/src",
  "packages/manifest/src",
  "packages/mcp-lock/src",
  "packages/trail/src",
];

export const LONG_TESTS: readonly LongTest[] = [
  {
    name: "playground",
    about:
      "every tool of the playground in eight views, and 50 MB of trail verified in Chromium: frames, memory, time beside Node",
    command: ["pnpm", "--filter", "@agentprint/playground", "long"],
    folders: [...FINGERPRINTS, "apps/playground/build", "apps/playground/scripts", "apps/playground/src"],
  },
  {
    name: "million",
    about: "a million records written, imported and verified, in JSON Lines and in both databases",
    command: store("million"),
    folders: STORE,
  },
  {
    name: "flips",
    about: "every byte of a trail of 200 records flipped in turn",
    command: store("flips"),
    folders: [...TRAIL, "packages/trail-store/scripts"],
  },
  {
    name: "kill-loop",
    about: "500 writers killed while they append, for each database",
    command: [...store("faults"), "--rounds", "500"],
    folders: STORE,
  },
  {
    name: "one-session",
    about:
      "three recorders with the same and similar session ids, suspended, killed and taken over at random, 100 times for a folder, SQLite and PostgreSQL",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "packages/recorder", "one-session-id"],
    env: { RECORDER_MODEL_RUNS: "100" },
    folders: [...TRAIL, "packages/recorder/src", "packages/recorder/test/slow", "packages/trail-store/src"],
  },
  {
    name: "trail-sql",
    about: "10,000 damaged trails judged by DuckDB and by trail verify: kinds, records and heads must be the same",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "trail-sql"],
    env: { DAMAGED_TRAILS: "10000" },
    folders: [...TRAIL, "apps/cli/src/trail", "apps/cli/test/support", "fixtures/spec"],
  },
  {
    name: "registry-storm",
    about: "1,000 concurrent changes of one agent on two registries, and 50 registries killed, for each database",
    command: ["pnpm", "--filter", "@agentprint/registry", "storm"],
    folders: REGISTRY,
  },
  {
    name: "registry-killed-copies",
    about: "backups and restorations of a registry killed at 8 moments each, on SQLite and PostgreSQL",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/registry", "killed-copies"],
    env: { KILLED_COPIES: "8" },
    folders: REGISTRY,
  },
  {
    name: "config-secrets",
    about: "random secrets in the configurations of every client, 100 times for each: none is on a stream or in a file",
    command: ["pnpm", "exec", "vitest", "run", "--project", "apps/cli", "config-secrets"],
    env: { CONFIG_SECRET_RUNS: "100" },
    folders: ["apps/cli/src", "apps/cli/test/clients", "packages/client-configs/src", "packages/mcp-lock/src"],
  },
  {
    name: "registry-backup",
    about: "20 backups of a registry under load, each restored and checked, for each database",
    command: ["pnpm", "--filter", "@agentprint/registry", "backup-rounds"],
    folders: REGISTRY,
  },
  {
    name: "mcp-storm",
    about:
      "50 clients that append to one task over two MCP servers, and 50 MCP servers killed among cancelled and malformed calls, " +
      "for each database",
    command: ["pnpm", "--filter", "@agentprint/mcp-server", "storm"],
    folders: [...MCP_SERVER, "apps/mcp-server/scripts/storm.ts"],
  },
  {
    name: "registry-tenants",
    about:
      "10,000 pairs of requests of a key about what another key has and what nobody has: the times must not tell them apart",
    command: ["pnpm", "--filter", "@agentprint/registry", "tenant-timings"],
    folders: [...REGISTRY, TENANTS],
  },
  {
    name: "mcp-tenants",
    about:
      "10,000 pairs of calls of a token about ids of another token and ids of nobody: the times must not tell them apart",
    command: ["pnpm", "--filter", "@agentprint/mcp-server", "tenant-timings"],
    folders: [...MCP_SERVER, TENANTS, "apps/mcp-server/scripts/tenant-timings.ts"],
  },
  {
    name: "registry-bench",
    about: "requests a second beside bare routes, and memory over 100,000 requests; writes apps/registry/README.md",
    command: ["pnpm", "--filter", "@agentprint/registry", "bench"],
    folders: [...STORE, "packages/manifest/src", "apps/registry/src", "apps/registry/scripts"],
  },
  {
    name: "registry-history",
    about:
      "requests on an agent of 100,000 versions beside those on one of 10, and changes while 1,000 streams hear of them; " +
      "writes apps/registry/README.md",
    command: ["pnpm", "--filter", "@agentprint/registry", "history-bench"],
    folders: REGISTRY,
  },
  {
    name: "registry-faults",
    about:
      "the 99th percentile of an agent's changes, reads, events and messages while another agent, webhook, stream or key has a fault; " +
      "writes apps/registry/README.md",
    command: ["pnpm", "--filter", "@agentprint/registry", "fault-bench"],
    folders: REGISTRY,
  },
  {
    name: "registry-load",
    about:
      "30 minutes of a mixed load with streams that nobody reads: no synchronous span over 50 ms of processor time, at most 512 MB",
    command: ["pnpm", "--filter", "@agentprint/registry", "load"],
    folders: REGISTRY,
  },
  {
    name: "fuzz",
    about: "10,000,000 random documents, and texts, chains and visits, asked of every port",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "fixtures", "cross-fuzz"],
    env: { FUZZ_DOCUMENTS: "10000000" },
    folders: [...PORTS, ...FINGERPRINTS],
  },
  {
    name: "soundness",
    about: "20,000 random pairs of schemas for each property, judged by two other validators",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "soundness"],
    env: { SCHEMA_DIFF_RUNS: "20000" },
    folders: ["packages/canonical-json/src", "packages/schema-diff/src", "packages/schema-diff/test"],
  },
  {
    name: "guard-cost",
    about:
      "what a guard costs a call, beside processes that only pass bytes on and mcp-pin; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "@agentprint/bench", "guard-cost"],
    folders: ["apps/bench/src/guard-cost", ...JUDGED, "packages/recorder/src"],
  },
  {
    name: "guard-memory",
    about:
      "how much memory a guard takes that records into a PostgreSQL that was stopped; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "@agentprint/bench", "guard-memory"],
    folders: ["apps/bench/src/guard-cost", ...GUARD, "packages/recorder/src", "packages/trail-store/src"],
  },
  {
    name: "guard-attacks",
    about:
      "endless and slow bodies, floods, cursors in circles, streams cut at every byte, sessions and keys by the thousand, two guards on one record, " +
      "a full disk, a clock set back; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "@agentprint/bench", "guard-attacks"],
    folders: ["apps/bench/src/guard-attacks", ...GUARD, "packages/guard/src", "packages/recorder/src"],
  },
  {
    name: "lock-in-force",
    about:
      "a lock and a policy edited, broken and deleted 12 times in each of 50 runs under a guard that has to follow",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "lock-in-force"],
    env: { LOCK_MODEL_RUNS: "50", LOCK_MODEL_EDITS: "12" },
    folders: [...JUDGED, "packages/policy/src"],
  },
  {
    name: "corpus",
    about:
      "43 upgrades of real servers and 300 hostile edits, side by side with other tools; writes apps/cli/README.md",
    command: ["pnpm", "corpus"],
    folders: [
      ...CORPUS,
      "apps/bench/corpus/main.ts",
      "apps/bench/corpus/src",
      "packages/mcp-visit/src",
      "packages/schema-diff/src",
    ],
  },
  {
    name: "causes",
    about: "undoes the causes of breaks that reports on the upgrades of the corpus name; writes apps/cli/README.md",
    command: ["pnpm", "corpus:causes"],
    folders: [...CORPUS, "apps/bench/corpus/causes.ts", "apps/bench/corpus/src/causes", "packages/report/src"],
  },
  {
    name: "releases",
    about: "every upgrade of the corpus that changed a tool, behind the guard; writes packages/guard/README.md",
    command: ["pnpm", "corpus:guard"],
    folders: [...CORPUS, ...GUARD, "apps/bench/corpus/guard.ts", "apps/bench/corpus/src/guard", "packages/guard/src"],
  },
  {
    name: "release",
    about:
      "a release to a registry on this machine: each package alone on its oldest Node and the newest, all together in Node 22, Bun, Deno and Vite, " +
      "types with three compilers, and a second release",
    command: ["pnpm", "release:dry", "--all"],
    folders: ["packages", "apps", "fixtures/src", "fixtures/vectors", "apps/scripts/src/release"],
  },
  {
    name: "port-packages",
    about: "the ports built as packages, checked, installed into empty projects and asked every vector",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "port-packages"],
    folders: ["fixtures/ports", "fixtures/vectors", "fixtures/tools/port-packages.ts"],
  },
  {
    name: "conformance",
    about: "the official conformance suite, directly and through the guard; writes packages/guard/README.md",
    command: ["pnpm", "--filter", "agentprint", "conformance", "--write"],
    folders: ["apps/cli/scripts/conformance", "apps/cli/test/conformance", ...JUDGED],
  },
  {
    name: "matrix",
    about: "the canonical JSON vectors asked of other people's libraries; writes fixtures/MATRIX.md",
    command: ["pnpm", "matrix"],
    folders: ["fixtures/vectors/canonical-json", "fixtures/tools/matrix", ...PORTS, "packages/canonical-json/src"],
  },
  {
    name: "guard-messages",
    about:
      "100,000 messages in each direction with other values in any place, said through a running guard over standard streams and HTTP",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "guard-any-message"],
    env: { MESSAGES: "100000" },
    folders: [
      ...GUARD,
      "apps/cli/test/guard",
      "packages/canonical-json/src",
      "packages/guard/src",
      "packages/guard/test/support",
    ],
  },
  {
    name: "peers",
    about:
      "the entries of drover, the guard and the recorder with the oldest and the newest minor of each library; writes their READMEs",
    command: ["node", "apps/scripts/src/peers.ts"],
    folders: [
      "packages/drover/examples",
      "packages/drover/src",
      "packages/drover/test/one-change",
      "packages/drover/test/options",
      "packages/drover/test/slow",
      "packages/guard/src",
      "packages/guard/test/support",
      "packages/mcp-lock/src",
      "packages/policy/src",
      "packages/recorder/src/adapters",
      "packages/recorder/test/ai-models.ts",
      "packages/recorder/test/entries-support.ts",
      "packages/recorder/test/older",
      "apps/scripts/src/peers.ts",
    ],
  },
  {
    name: "fleet",
    about: "the settings of docs/fleet.md, asked of the newest Claude Code, Codex and Gemini CLI",
    command: ["node", "apps/scripts/src/try-fleet.ts"],
    folders: ["docs/fleet.md", "apps/scripts/src/try-fleet.ts"],
  },
  {
    name: "python-peers",
    about:
      "the Python port's recorder with the oldest and the newest LangChain that it allows, each installed into an empty folder",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "langchain", "==1.4.0", "<2"],
    folders: ["fixtures/ports/python/src/agentprint", "fixtures/tools/python-langchain.ts"],
  },
];
