/** `pnpm site`: builds the site into `apps/site/dist`. Exit 1: the generator has something to tell, or a link leads nowhere. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSite } from "./build-site.ts";
import { brokenLinks } from "./check-links.ts";
import { PAGES, ROOT } from "./pages.ts";
import { stagePages } from "./stage.ts";

const OUT = fileURLToPath(new URL("../dist", import.meta.url));
const { publisher } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  publisher: { repository: string | null };
};

const staged = mkdtempSync(join(tmpdir(), "site-"));
try {
  stagePages(staged, publisher.repository);
  await buildSite(staged, OUT);
} finally {
  rmSync(staged, { recursive: true });
}
const broken = brokenLinks(OUT);
for (const link of broken) console.log(`Error: leads nowhere: ${link}`);
if (broken.length > 0) process.exitCode = 1;
else console.log(`${PAGES.size} pages and the reference, every link leads somewhere: apps/site/dist/index.html`);
