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
import { checkCompare } from "./checks/compare.ts";
import { checkKeyboard } from "./checks/keyboard.ts";
import { checkOffline } from "./checks/offline.ts";
import { checkSchemas } from "./checks/schemas.ts";
import { checkSharing } from "./checks/sharing.ts";
import { checkText } from "./checks/text.ts";
import { checkTrail } from "./checks/trail.ts";
import { checkVectors } from "./checks/vector.ts";
import { serveFolder } from "./serve-folder.ts";

/** What the page and its first tool may weigh, compressed, in bytes. */
const MAX_FIRST_LOAD = 150 * 1024;

/** What `agent-capabilities` warns of, for some of its vectors. */
const OPAQUE = /is hashed as its vendor and version/;

const CHECKS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  canonical: checkCanonical,
  compare: checkCompare,
  schemas: checkSchemas,
  trail: checkTrail,
  text: checkText,
  vector: checkVectors,
};

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "playground-"));
const browser = await launchChromium();
try {
  await buildPage(folder);
  await useEveryTool();
  await useWithHeaders();
  await checkOffline(browser, await serveFolder(folder, "/", false));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Below a path of a server that sends no header, so that the policy in the page alone holds. */
async function useEveryTool(): Promise<void> {
  const { url, close } = await serveFolder(folder, "/below/a path/", false);
  const context = await browser.newContext({ colorScheme: "light", locale: "en", reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints = complaintsOf(page, url);
  await weigh(page, url);
  await checkKeyboard(page);
  for (const [name, check] of Object.entries(CHECKS)) {
    await check(page);
    await lookAt(page, `${name}-light-wide-en`);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "中文" }).click();
    await lookAt(page, `${name}-dark-phone-zh`);
    await page.getByRole("button", { name: "English" }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  }
  await checkSharing(page, url);
  assert.equal(await page.evaluate(() => "polluted" in {}), false);
  assert.deepEqual(
    complaints.filter((text) => !OPAQUE.test(text)),
    [],
  );
  await context.close();
  close();
  console.log(
    `${Object.keys(CHECKS).length} tools, each in two views: axe found 0 violations, nothing was asked elsewhere`,
  );
}

/** With the headers of the README a counterexample is confirmed, too. */
async function useWithHeaders(): Promise<void> {
  const { url, close } = await serveFolder(folder, "/", true);
  const page = await browser.newPage({ locale: "en" });
  const complaints = complaintsOf(page, url);
  await page.goto(url);
  await checkSchemas(page);
  assert.deepEqual(complaints, []);
  await page.close();
  close();
}

/** The files that the first visit asks for stay below the budget, and no tool but the first is among them. */
async function weigh(page: Page, url: string): Promise<void> {
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(request.url().slice(url.length)));
  await page.goto(url);
  await page.locator("form").waitFor();
  const names = [...asked].filter((name) => name !== "service-worker.js").map((name) => name || "index.html");
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  assert.ok(bytes <= MAX_FIRST_LOAD, `the first load has ${bytes} bytes: ${names.join(", ")}`);
  const all = readdirSync(join(folder, "assets")).length;
  console.log(`first load: ${names.length} of ${all + 1} files, ${(bytes / 1024).toFixed(1)} KB compressed`);
}

async function lookAt(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  await assertUsable(page, axe.source, name);
}
