import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

/** The pages of the site by group, in the order of the navigation: paths from the root of the repository. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Guides: [
    "docs/pin.md",
    "docs/author.md",
    "docs/ci.md",
    "docs/review.md",
    "docs/skills.md",
    "docs/policy.md",
    "docs/guard.md",
    "docs/fleet.md",
    "docs/embed.md",
    "docs/hosted.md",
    "docs/production.md",
    "docs/verify-trail.md",
    "docs/audit.md",
    "docs/scale.md",
    "docs/gate-manifest.md",
    "docs/registry.md",
    "docs/operate.md",
    "docs/resume.md",
    "docs/port.md",
    "docs/migrate-digests.md",
  ],
  "Look up": [
    "docs/RULES.md",
    "docs/ERRORS.md",
    "docs/GLOSSARY.md",
    "docs/clients.md",
    "docs/odd-servers.md",
    "docs/trail-events.md",
    "docs/compare.md",
    "docs/comparisons.md",
    "docs/standards.md",
    "docs/long-tests.md",
    "docs/repositories.md",
    "docs/performance.md",
    "docs/mutants.md",
    "fixtures/MATRIX.md",
  ],
  Background: ["docs/concepts.md", "docs/ARCHITECTURE.md"],
  Packages: [
    "docs/packages.md",
    ...["apps/*/README.md", "apps/mcp-server/clients.md", "packages/*/README*.md", "fixtures/README.md"],
    ...["fixtures/ports/*/README.md", "fixtures/rules/*.md", "integrations/*/README.md"],
  ].flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort()),
  Project: ["CONTRIBUTING.md", "docs/workshop.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "lab/README.md"],
};

/** The first page. */
export const HOME = "README.md";

/** Every page of the site. */
export const PAGES: ReadonlySet<string> = new Set([HOME, ...Object.values(GROUPS).flat()]);

/** Returns the title of a page. */
export function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(ROOT, page), "utf8")) ?? [];
  return title.replaceAll("`", "");
}
