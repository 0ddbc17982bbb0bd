import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

const roots = ["packages", "apps"]
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .concat("fixtures", "docs")
  .filter((root) => existsSync(`${root}/test`));

/** A limit for what hangs, far beyond what the slowest machine needs: no test fails for being slow. */
const HANGS_MS = 600_000;

function project(root: string, name = root, alias: Record<string, string> = {}) {
  return {
    resolve: { alias },
    ssr: { resolve: { conditions: ["@agentprint/source", "module", "node", "default"] } },
    test: { name, root, include: ["test/**/*.test.ts"], testTimeout: HANGS_MS, hookTimeout: HANGS_MS },
  };
}

/** What browsers and edge runtimes get in place of `node:crypto` and `node:buffer`. */
const portable = Object.fromEntries(
  ["sha256", "utf8"].map((name) => [
    `#${name}`,
    `${import.meta.dirname}/packages/canonical-json/src/platform/${name}-portable.ts`,
  ]),
);

export default defineConfig({
  test: {
    maxWorkers: "100%", // by default one core is left idle: half of a machine with two
    projects: [
      ...roots.map((root) => project(root)),
      project("packages/canonical-json", "packages/canonical-json (portable)", portable),
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "src/**/*.ts"], // the second is what `--project packages/x` sees
      reporter: ["text", "json-summary"],
      thresholds: { "packages/!(mcp-lock|mcp-visit|trail-store)/src/**/*.ts": { lines: 100, branches: 95 } },
    },
  },
});
