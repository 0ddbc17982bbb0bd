import { FINGERPRINTS, type LongTest } from "./long-test.ts";

/** The long tests of the libraries and of the published packages and pages. */
export const LIBRARIES: readonly LongTest[] = [
  {
    name: "playground",
    about:
      "every tool of the playground in eight views, and 50 MB of trail verified in Chromium: frames, memory, time compared with Node",
    command: ["pnpm", "--filter", "@agentprint/playground", "long"],
    folders: [...FINGERPRINTS, "apps/playground/build", "apps/playground/scripts", "apps/playground/src"],
  },
  {
    name: "rewriting",
    about:
      "10,000,000 random and 1,000,000 mutated texts, and a million arbitraries of each kind, hashed without values, whole and in pieces, compared with the plain reader",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "packages/canonical-json", "rewriting"],
    env: { REWRITING_RUNS: "1000000", REWRITING_TEXTS: "10000000" },
    folders: ["packages/canonical-json/src", "packages/canonical-json/test"],
  },
  {
    name: "large-json",
    about:
      "agentprint hash of 1 GB in an array and in an object: the digest, and at most 16 MB more than for a small text",
    command: ["pnpm", "--filter", "agentprint", "large-json"],
    folders: ["packages/canonical-json/src", "apps/cli/src/commands/hash.ts", "apps/cli/src/files"],
  },
  {
    name: "test-files",
    about:
      "the test files in folders test/long that no other row names: what uvx installs is pinned, vectors host with check, the guard and two commands of PyPI, the official libraries of Python and Go read what the guard saw, every report shows a drift whole",
    command: [
      "pnpm",
      "exec",
      "vitest",
      "run",
      "--mode",
      "long",
      "--project",
      "apps/cli",
      "--project",
      "packages/guard",
    ],
    folders: [
      "apps/cli/src/artifacts",
      "apps/cli/src/report",
      "apps/cli/test/long",
      "fixtures/src/host",
      "packages/artifacts/src",
      "packages/guard/src",
      "packages/guard/test/long",
      "packages/mcp-visit/scripts/foreign",
      "packages/report/src",
    ],
  },
  {
    name: "properties",
    about:
      "the properties of the packages, the command and the MCP server with ten times the values that they are tried with in CI",
    command: [
      "pnpm",
      "exec",
      "vitest",
      "run",
      "--mode",
      "all",
      "--project=packages/*",
      "--project=apps/cli",
      "--project=apps/mcp-server",
    ],
    env: { PROPERTY_RUNS: "10" },
    folders: ["packages", "apps/cli/src", "apps/cli/test", "apps/mcp-server/src", "apps/mcp-server/test"],
  },
  {
    name: "soundness",
    about: "20,000 random pairs of schemas for each property, judged by two other validators",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "long", "soundness"],
    env: { SCHEMA_DIFF_RUNS: "20000" },
    folders: ["packages/canonical-json/src", "packages/schema-diff/src", "packages/schema-diff/test"],
  },
  {
    name: "sigstore-go",
    about:
      "a statement that agentprint release signs with Sigstore, verified by sigstore-go with the trusted root of a mock, and one that sigstore-go signs, proven by agentprint",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "keyless-statements"],
    env: { SIGSTORE_GO: "1" },
    folders: ["apps/cli/src/release", "apps/cli/src/statement", "fixtures/tools/sigstore-go", "packages/statement/src"],
  },
  {
    name: "drift",
    about: "the gate of pnpm bench against the build of the last release, so that many small slowdowns add up",
    command: ["pnpm", "bench", "--gate"],
    env: { BENCH_BASE: "last-release" },
    folders: ["lab/bench", ...FINGERPRINTS],
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
    name: "peers",
    about:
      "the entries of drover, the guard and the recorder with the oldest and the newest minor of each library; writes their READMEs",
    command: ["pnpm", "--filter", "lab", "peer-versions"],
    folders: [
      "packages/drover/examples",
      "packages/drover/src",
      "packages/drover/test/one-change",
      "packages/drover/test/options",
      "packages/drover/test/slow",
      "packages/guard/src",
      "packages/guard/test/support",
      "packages/testing/src/messages",
      "packages/mcp-lock/src",
      "packages/policy/src",
      "packages/recorder/src/adapters",
      "packages/recorder/test/ai-models.ts",
      "packages/recorder/test/entries-support.ts",
      "packages/recorder/test/older",
      "lab/peer-versions",
    ],
  },
  {
    name: "fresh-machines",
    about:
      "demo and every quick test as the README has them, with Node 20.19, 22 and 24: in root's home, in a path with a space behind a mirror of the registry, and without Git",
    command: ["pnpm", "exec", "node", "apps/scripts/src/fresh-machines/main.ts", "--whole"],
    folders: [
      ...["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "turbo.json"],
      ...["apps/cli/demo", "apps/scripts/src/fresh-machines", "apps/scripts/src/quick-tests"],
    ],
  },
  {
    name: "lighthouse",
    about: "Lighthouse on four pages of the site in Chromium: each category has at least 95 points",
    command: ["pnpm", "--filter", "@agentprint/site", "lighthouse"],
    folders: ["README.md", "docs/pictures", "docs/pin.md", "docs/policy.md", "apps/site"],
  },
];
