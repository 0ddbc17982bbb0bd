import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

const roots = ["packages", "apps"]
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .concat("fixtures")
  .filter((root) => existsSync(`${root}/test`));

function project(root: string, name: string, platform: string[]) {
  return {
    ssr: { resolve: { conditions: ["@agentprint/source", "module", ...platform, "default"] } },
    test: { name, root, include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
  };
}

export default defineConfig({
  test: {
    projects: [
      ...roots.map((root) => project(root, root, ["node"])),
      // The same tests on the code that browsers and edge runtimes get.
      project("packages/canonical-json", "packages/canonical-json (portable)", []),
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "src/**/*.ts"], // the second is what `--project packages/x` sees
      reporter: ["text", "json-summary"],
      thresholds: { "packages/!(mcp-lock|trail-store)/src/**/*.ts": { lines: 100, branches: 95 } },
    },
  },
});
