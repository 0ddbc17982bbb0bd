import { availableParallelism, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COVERED_FILES } from "./apps/scripts/src/ci-coverage.ts";
import { CiReporter } from "./apps/scripts/src/ci-reporter.ts";
import { PassedReporter } from "./apps/scripts/src/quick-tests/passed-reporter.ts";
import { TEST_ROOTS } from "./apps/scripts/src/quick-tests/roots.ts";
import { whyNoPostgres } from "./packages/testing/src/postgres-programs.ts";
import { postgresTests } from "./packages/testing/src/postgres-tests.ts";
import { sharesPostgres } from "./packages/testing/src/shared-postgres.ts";

interface Tier {
  readonly include: string[];
  readonly exclude?: string[];
}

/**
 * The mode selects which tests run: `vitest run` runs the quick ones, `--mode slow` those in a folder `test/slow/`,
 * `--mode nightly` those in a folder `test/nightly/`, `--mode all` these three, and `--mode long` those in a folder
 * `test/long/`.
 */
const TIERS: Readonly<Record<string, Tier>> = {
  test: { include: ["test/**/*.test.ts"], exclude: ["test/{slow,nightly,long}/**"] },
  slow: { include: ["test/slow/**/*.test.ts"] },
  nightly: { include: ["test/nightly/**/*.test.ts"] },
  all: { include: ["test/**/*.test.ts"], exclude: ["test/long/**"] },
  long: { include: ["test/long/**/*.test.ts"] },
};

/** Tests whose outcome depends on `sha256` and `utf8`, of which browsers get a different version than Node. */
const PLATFORM_TESTS = [
  "test/{sha256,vectors}.test.ts",
  "test/canonicalize/{profiles,part,hostile,differential}.test.ts",
  "test/parse-json/{utf8,canonicalize-json,hash-json}.test.ts",
];

/** Tests of SQLite stores, which the library opens with better-sqlite3 and the command with Node itself. */
const SQLITE_TESTS = [
  "test/{append-only,import,keys,large-structure,open-trail-store,store,transact}.test.ts",
  "test/sqlite-*.test.ts",
];

const NODE_SQLITE = "@agentprint/node-sqlite";

const STORE = "packages/trail-store";

/** Store tests that need their own process: SQLite reads only once per process how the names of databases are interpreted. */
const OWN_PROCESS_TESTS = ["test/sqlite-names.test.ts"];

/**
 * Roots whose tests load a module a second time, or import what only Vite can import; Node loads all other modules,
 * which takes less processor time.
 */
const LOADED_BY_VITE = new Set(["packages/agent-capabilities", "packages/recorder", "apps/playground"]);

const WITHOUT_MODULE_GRAPH = `${import.meta.dirname}/apps/scripts/src/quick-tests/without-module-graph.ts`;

/**
 * Whether coverage is measured: Vite and Node place the statements of a module differently, so that a module loaded by
 * both seems to be only partly covered.
 */
const IS_MEASURED = process.argv.includes("--coverage");

/** Time limits for tests that hang, far beyond what the slowest machine needs: no test fails for being slow. */
const HANGS_MS = 60_000;
const SLOW_HANGS_MS = 600_000;

/** CI judges a change on any machine: a test that passes on a retry is printed as flaky, to be fixed separately. */
const RETRIES = process.env["CI"] ? 1 : 0;

/** The file from which `pnpm test` reads which packages have passed. */
const PASSED_FILE = process.env["AGENTPRINT_PASSED_FILE"];

/** Starts the slow files first, so that no core waits for the last of them at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => /\/test\/(?:slow|nightly)\//.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  }
}

/** Hundreds of processes and threads that tests start load the same modules from source. */
const env = {
  NODE_COMPILE_CACHE: join(tmpdir(), `agentprint-test-compile-cache-${userInfo().uid}`),
  // The package manager that runs the tests did not call the programs under test.
  npm_config_user_agent: "",
};

/** A polled condition that does not come true also counts as hanging; the test then reports what was expected. */
const expect = { poll: { timeout: HANGS_MS - 10_000 } };

/** Where PostgreSQL cannot run, the test files that start it are left out, which `setup` reports. */
const hasPostgres = whyNoPostgres() === undefined;

/** Slow tests of the command start it hundreds of times. */
const COMMAND = "apps/cli";

/** Returns what is set up once before the tests of a root, and removed after them. */
function setupsOf(mode: string, root: string, { globalSetup }: { globalSetup?: string }): string[] {
  const isBundled = root === COMMAND && (mode === "slow" || mode === "nightly");
  return [
    ...(globalSetup === undefined ? [] : [globalSetup]),
    ...(isBundled ? [`${import.meta.dirname}/apps/cli/test/support/bundle-command.ts`] : []),
  ];
}

function withPostgres(mode: string, tier: Tier, root: string, isSecondRun: boolean): Tier & { globalSetup?: string } {
  if (hasPostgres) {
    // Slow tests also create roles, restart the server, and count what all its databases do.
    const isShared = mode === "test" && !isSecondRun && sharesPostgres(root, tier.include, tier.exclude);
    return {
      ...tier,
      ...(isShared && { globalSetup: `${import.meta.dirname}/packages/testing/src/shared-postgres.ts` }),
    };
  }
  const left = postgresTests(root);
  if (left.length === 0) return tier;
  const globalSetup = `${import.meta.dirname}/packages/testing/src/postgres-tests.ts`;
  return { ...tier, exclude: [...(tier.exclude ?? []), ...left], globalSetup };
}

function tierOf(mode: string, root: string): Tier {
  const tier = TIERS[mode] ?? { include: [] };
  return root === STORE ? { ...tier, exclude: [...(tier.exclude ?? []), ...OWN_PROCESS_TESTS] } : tier;
}

/** Returns whether tests mostly wait for processes, networks and databases; other tests need a core each. */
const isWaiting = (mode: string): boolean => ["slow", "nightly", "long"].includes(mode);

interface ProjectOptions {
  /** A root may have several projects, named after it. */
  readonly name?: string;
  readonly alias?: Record<string, string>;
  readonly condition?: string;
  /** Whether each test file has its own process. */
  readonly isolate?: boolean;
}

function project(
  mode: string,
  tier: Tier,
  root: string,
  { name = root, alias, condition, isolate = false }: ProjectOptions = {},
) {
  const timeout = mode === "test" ? HANGS_MS : SLOW_HANGS_MS;
  const own = withPostgres(mode, tier, root, condition !== undefined);
  const viteModuleRunner = IS_MEASURED || alias !== undefined || LOADED_BY_VITE.has(root);
  return {
    // By default, each project bundles and evaluates this file again.
    extends: false,
    resolve: { alias: alias ?? {} },
    ssr: { resolve: { conditions: ["@agentprint/source", "module", "node", "default"] } },
    test: {
      name,
      root,
      env: { ...env, TEST_TIMEOUT_MS: String(timeout) },
      isolate,
      // By default one core is left idle, which is half of a machine with two; some quick tests also wait.
      maxWorkers: isWaiting(mode) ? availableParallelism() * 2 : availableParallelism() + 1,
      execArgv: ["--conditions=@agentprint/source", ...(condition === undefined ? [] : [`--conditions=${condition}`])],
      experimental: { viteModuleRunner, nodeLoader: false },
      setupFiles: viteModuleRunner ? [] : [WITHOUT_MODULE_GRAPH],
      testTimeout: timeout,
      hookTimeout: timeout,
      retry: RETRIES,
      expect,
      ...own,
      globalSetup: setupsOf(mode, root, own),
    },
  };
}

/** The replacement that browsers and edge runtimes get for `node:crypto` and `node:buffer`. */
const portable = { "#platform": `${import.meta.dirname}/packages/canonical-json/src/platform/portable.ts` };

export default defineConfig(({ mode }) => ({
  test: {
    reporters: [
      "default",
      ...(process.env["CI"] ? [new CiReporter()] : []),
      ...(PASSED_FILE === undefined ? [] : [new PassedReporter(PASSED_FILE)]),
    ],
    sequence: { sequencer: SlowFirst },
    projects: [
      ...TEST_ROOTS.map((root) => project(mode, tierOf(mode, root), root)),
      ...(isWaiting(mode)
        ? []
        : [
            project(mode, { include: PLATFORM_TESTS }, "packages/canonical-json", {
              name: "packages/canonical-json (portable)",
              alias: portable,
            }),
            project(mode, { include: SQLITE_TESTS, exclude: OWN_PROCESS_TESTS }, STORE, {
              name: `${STORE} (node-sqlite)`,
              condition: NODE_SQLITE,
            }),
            project(mode, { include: OWN_PROCESS_TESTS }, STORE, { name: `${STORE} (names)`, isolate: true }),
            project(mode, { include: OWN_PROCESS_TESTS }, STORE, {
              name: `${STORE} (names, node-sqlite)`,
              condition: NODE_SQLITE,
              isolate: true,
            }),
          ]),
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "src/**/*.ts"], // `--project packages/x` sees the second
      exclude: ["**/src/page/browser/**"], // a browser runs it: `pnpm --filter agentprint pages`
      reporter: ["text", "json-summary"],
      thresholds: {
        // The specification of the trail requires this for its schema (§9).
        "packages/trail/src/record/*.ts": { lines: 100, statements: 100, functions: 100, branches: 95 },
        [COVERED_FILES]: {
          lines: 100,
          statements: 99,
          functions: 99,
          branches: 95,
        },
      },
    },
  },
}));
