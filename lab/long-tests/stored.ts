import { type LongTest, TRAIL } from "./long-test.ts";

const store = (script: string): LongTest["command"] => ["pnpm", "--filter", "@agentprint/trail-store", script];
const STORE = [...TRAIL, "packages/trail-store/src", "packages/trail-store/scripts"];
const REGISTRY = [
  ...STORE,
  "packages/manifest/src",
  "apps/registry/src",
  "apps/registry/test/support",
  "apps/registry/scripts",
];
const MCP_SERVER = [...STORE, "apps/mcp-server/src", "apps/mcp-server/test/support"];
const TENANTS = "packages/testing/src/tenant-timings";

/** The long tests of trails, the registry and the MCP server, on real databases. */
export const STORED: readonly LongTest[] = [
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
    name: "writers",
    about:
      "1 to 64 writers on one PostgreSQL, one task and many, compared with a bare INSERT; every chain is verified after each run; " +
      "writes packages/trail-store/README.md",
    command: [...store("writers"), "--write"],
    folders: STORE,
  },
  {
    name: "one-session",
    about:
      "three recorders with the same and similar session ids, suspended, killed and taken over at random, 100 times for a folder, SQLite and PostgreSQL",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "long", "--project", "packages/recorder", "one-session-id"],
    env: { RECORDER_MODEL_RUNS: "100" },
    folders: [...TRAIL, "packages/recorder/src", "packages/recorder/test/long", "packages/trail-store/src"],
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
    command: ["pnpm", "exec", "vitest", "run", "--mode", "nightly", "--project", "apps/registry", "killed-copies"],
    env: { KILLED_COPIES: "8" },
    folders: REGISTRY,
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
    about:
      "requests per second compared with bare routes, and memory over 100,000 requests; writes apps/registry/README.md",
    command: ["pnpm", "--filter", "@agentprint/registry", "bench"],
    folders: [...STORE, "packages/manifest/src", "apps/registry/src", "apps/registry/scripts"],
  },
  {
    name: "registry-history",
    about:
      "requests on an agent with 100,000 versions compared with one with 10, and changes while 1,000 streams hear of them; " +
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
];
