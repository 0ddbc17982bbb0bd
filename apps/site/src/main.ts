/**
 * `pnpm --filter site site [base]`: builds the site into `apps/site/dist`, to be served below `base`, `/` by default.
 * Exit 1: a generator has a warning, or a link leads nowhere.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addPolicies } from "./add-policies.ts";
import { buildPages, STAGED } from "./build-pages.ts";
import { buildReference } from "./build-reference.ts";
import { brokenLinks } from "./check-links.ts";
import { PAGES, ROOT } from "./pages.ts";
import { stagePages } from "./stage.ts";

const APP = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(APP, "dist");
const [base = "/"] = process.argv.slice(2);
const { publisher } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  publisher: { repository: string | null };
};

rmSync(join(APP, STAGED), { recursive: true, force: true });
stagePages(join(APP, STAGED), { base, repository: publisher.repository });
await buildPages(APP, OUT, base);
await buildReference(join(OUT, "reference"), base);
addPolicies(OUT);
const broken = brokenLinks(OUT, base);
for (const link of broken) console.log(`Error: leads nowhere: ${link}`);
if (broken.length > 0) process.exitCode = 1;
else console.log(`${PAGES.size} pages and the reference, every link leads somewhere: apps/site/dist/index.html`);
