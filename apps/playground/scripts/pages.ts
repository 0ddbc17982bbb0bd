// Uses every tool of the built page in a real browser: what it shows, hostile texts, keyboard, axe-core, first load, and
// without a network. Usage: pages.ts [folder for screenshots]; the environment may name the browser as CHROMIUM.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { assertUsable, complaintsOf, launchChromium } from "../../../fixtures/tools/chromium.ts";
import { buildPage } from "./build-page.ts";
import { checkCanonical } from "./checks/canonical.ts";
import { serveFolder } from "./serve-folder.ts";

/** What the page and its first tool may weigh, compressed, in bytes. */
const MAX_FIRST_LOAD = 150 * 1024;

const CHECKS = { canonical: checkCanonical } as const;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "playground-"));
const browser = await launchChromium();
try {
  await buildPage(folder);
  // One server sends no header, so that the policy in the page alone holds; the other sends those of the README.
  for (const withHeaders of [false, true]) {
    const { url, close } = await serveFolder(folder, "/below/a path/", withHeaders);
    const context = await browser.newContext({ colorScheme: withHeaders ? "dark" : "light", locale: "en" });
    const page = await context.newPage();
    const complaints = complaintsOf(page, url);
    if (!withHeaders) await weigh(page, url);
    await page.goto(url);
    for (const [name, check] of Object.entries(CHECKS)) {
      await check(page);
      await lookAt(page, `${name}-${withHeaders ? "dark" : "light"}`);
    }
    assert.deepEqual(complaints, []);
    await context.close();
    close();
    console.log(
      `${Object.keys(CHECKS).length} tools, ${withHeaders ? "with the headers" : "by its own policy"}: axe found 0 violations`,
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** The files that the first visit asks for stay below the budget, and no tool but the first is among them. */
async function weigh(page: Page, url: string): Promise<void> {
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(decodeURIComponent(request.url()).slice(decodeURIComponent(url).length)));
  await page.goto(url);
  await page.locator("form").waitFor();
  const names = [...asked]
    .map((name) => (name === "" ? "index.html" : name))
    .filter((name) => name !== "service-worker.js");
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  assert.ok(bytes <= MAX_FIRST_LOAD, `the first load has ${bytes} bytes: ${names.join(", ")}`);
  const all = readdirSync(join(folder, "assets")).length;
  console.log(`first load: ${names.length} of ${all + 1} files, ${(bytes / 1024).toFixed(1)} KB compressed`);
}

async function lookAt(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  await assertUsable(page, axe.source, name);
}
