import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

const roots = ["packages", "apps"]
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .concat("fixtures")
  .filter((root) => existsSync(`${root}/test`));

const conditions = ["@agentprint/source", "module", "node", "default"];

export default defineConfig({
  test: {
    projects: roots.map((root) => ({
      ssr: { resolve: { conditions } },
      test: { name: root, root, include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
    })),
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      reporter: ["text", "json-summary"],
      thresholds: { "packages/!(mcp-lock|trail-store)/src/**/*.ts": { lines: 100, branches: 95 } },
    },
  },
});
