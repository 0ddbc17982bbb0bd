// Looks at the built site in a real browser: searches, widths, both colours, axe-core, and the policy of the pages.
// Usage: pages.ts [folder for screenshots], after `pnpm --filter site site`; the environment may name the browser as CHROMIUM.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assertUsable, complaintsOf, launchChromium } from "@agentprint/testing/chromium";
import { serveFolder } from "@agentprint/testing/serve-folder";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { addressOf } from "../src/addresses.ts";
import { GROUPS, PAGES } from "../src/pages.ts";

const VIEWS = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "light", width: 768 },
  { colorScheme: "light", width: 1280 },
] as const;

/**
 * The pages that most people see; without a folder for screenshots, each is looked at in one view of the first two. The
 * reference is looked at as on a phone: next to it, the script of TypeDoc draws a tree with links in its buttons.
 */
const MAIN = [
  "index.html",
  ...["pin", "ci", "guard", "hosted", "production", "verify-trail"].map((name) => `guides/${name}.html`),
  "look-up/rules.html",
  "packages/cli.html",
  "reference/index.html",
  "reference/modules/_agentprint_mcp-lock.html",
];

/** Searches of readers, and the page that must come first. */
const SEARCHES: Readonly<Record<string, string>> = {
  policy: "guides/policy.html",
  secret: "guides/hosted.html",
  "exit code": "guides/ci.html",
  "rug pull": "guides/guard.html",
  OAuth: "guides/hosted.html",
  audit: "guides/audit.html",
};

/** How often the key of the search is pressed. */
const MAX_PRESSED = 30;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const { url, close } = await serveFolder(new URL("../dist", import.meta.url).pathname, "/");
const browser = await launchChromium();
try {
  await inNewPage(browser, searchAll);
  await inNewPage(browser, visitGuides);
  await inNewPage(browser, visitAll);
  await lookAtMain(browser);
} finally {
  await browser.close();
  close();
}

/** Uses a page, which must not complain. */
async function inNewPage(browser: Browser, use: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  const complaints = complaintsOf(page, url);
  await use(page);
  assert.deepEqual(complaints, []);
  await page.close();
}

async function searchAll(page: Page): Promise<void> {
  await page.goto(url);
  const input = await openSearch(page);
  const found: Record<string, string | undefined> = {};
  for (const query of Object.keys(SEARCHES)) {
    await input.fill("");
    await page.locator(".result").first().waitFor({ state: "detached" });
    await input.fill(query);
    await page.locator(".result mark").first().waitFor();
    const href = await page.locator(".VPLocalSearchBox a.result").first().getAttribute("href");
    found[query] = href?.slice(1).replace(/#.*/, "");
  }
  assert.deepEqual(found, SEARCHES);
  await page.locator(".VPLocalSearchBox a.result").first().click();
  await page.waitForURL(`${url}${SEARCHES["audit"]}**`);
  console.log(`${Object.keys(SEARCHES).length} searches find their page first`);
}

/** Presses the key of the search until it opens: a page that has just loaded does not listen yet. */
async function openSearch(page: Page): Promise<Locator> {
  const input = page.locator(".VPLocalSearchBox input");
  for (let pressed = 0; pressed < MAX_PRESSED && !(await input.isVisible()); pressed++) {
    await page.keyboard.press("Control+k");
    await input.waitFor({ timeout: 1000 }).catch(() => {});
  }
  return input;
}

/** Each guide leads to the next one, from the first to the last, and names its file. */
async function visitGuides(page: Page): Promise<void> {
  const guides = GROUPS["Guides"] ?? [];
  await page.goto(`${url}${addressOf(guides[0] ?? "")}.html`);
  for (const [index, guide] of guides.entries()) {
    await page.locator(".source code", { hasText: guide }).waitFor();
    const previous = page.locator(".pager-link.prev");
    assert.equal(await previous.count(), index === 0 ? 0 : 1, guide);
    if (index < guides.length - 1) await page.locator(".pager-link.next").click();
  }
  console.log(`${guides.length} guides lead from one to the next`);
}

/** No page is wider than a phone. */
async function visitAll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const wide: string[] = [];
  for (const address of [...PAGES].map(addressOf)) {
    await page.goto(`${url}${address}.html`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) wide.push(`${address}: ${width}`);
  }
  assert.deepEqual(wide, []);
  console.log(`${PAGES.size} pages fit a phone`);
}

async function lookAtMain(browser: Browser): Promise<void> {
  const all = screenshots !== undefined;
  let looks = 0;
  for (const [index, { colorScheme, width }] of VIEWS.entries()) {
    await inNewPage(browser, async (page) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const looked = MAIN.filter((_name, place) => all || place % 2 === index);
      for (const name of looked.filter((name) => width === 390 || !name.startsWith("reference/"))) {
        await page.goto(url + name);
        const shot = `${name.replaceAll("/", "-").replace(".html", "")}-${colorScheme}-${width}`;
        if (all) await page.screenshot({ path: join(screenshots, `${shot}.png`) });
        await assertUsable(page, axe.source, shot);
        looks += 1;
      }
    });
  }
  console.log(`${MAIN.length} pages, ${looks} looks: axe found 0 violations, nothing was asked elsewhere`);
}
