// Checks every page of the built site in a real browser, and uses it as readers do. Usage: pages.ts [--part <n>]
// [folder for screenshots], after `pnpm --filter site site`; checks only every nth page of the reference. The
// environment may name the browser as CHROMIUM.
import assert from "node:assert/strict";
import { globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { complaintsOf, launchChromium } from "@agentprint/testing/chromium";
import { serveFolder } from "@agentprint/testing/serve-folder";
import type { Browser, Page } from "playwright-core";
import { addressOf } from "../src/addresses.ts";
import { PAGES } from "../src/pages.ts";
import { type Look, lookAtAll, WIDTHS } from "./look.ts";
import { changeSides, chooseColours, getLost, print, readGuides, search, useCode, useMenus } from "./use.ts";

/** The pages whose screenshots are taken. */
const SHOWN = [
  "index.html",
  "404.html",
  ...["pin", "ci", "guard", "embed", "operate"].map((name) => `guides/${name}.html`),
  "look-up/rules.html",
  "packages/canonical-json.html",
  "reference/index.html",
  "reference/modules/_agentprint_mcp-lock.html",
  "reference/functions/_agentprint_mcp-lock.checkLock.html",
];
/** How many pages are checked at the same time. */
const LANES = 2;

const FOLDER = fileURLToPath(new URL("../dist", import.meta.url));
const {
  values: { part },
  positionals: [screenshots],
} = parseArgs({ allowPositionals: true, options: { part: { type: "string", default: "1" } } });
const { url, close } = await serveFolder(FOLDER, "/");
const browser = await launchChromium();
try {
  if (screenshots === undefined) {
    for (const use of [search, readGuides, changeSides, chooseColours, useMenus, useCode, print, getLost]) {
      await inNewPage(browser, use);
    }
    await lookAt([...PAGES].map((page) => `${addressOf(page)}.html`));
    const reference = globSync("reference/**/*.html", { cwd: FOLDER }).sort();
    await lookAt(reference.filter((_name, place) => place % Number(part) === 0));
  } else await show(browser, screenshots);
} finally {
  await browser.close();
  close();
}

/** Uses pages, which must not log errors; a browser reports a missing address by itself. */
async function inNewPage(browser: Browser, use: (page: Page, url: string) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints = complaintsOf(page, url);
  await use(page, url);
  assert.deepEqual(
    complaints.filter((text) => use !== getLost || !text.includes("404")),
    [],
  );
  await context.close();
  console.log(`ok: ${use.name}`);
}

async function lookAt(names: readonly string[]): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) => names.filter((_name, place) => place % LANES === lane));
  const kinds = new Set<string>();
  const looks = await Promise.all(lanes.map((lane) => lookAtAll(browser, { folder: FOLDER, url }, lane, kinds)));
  const all = (key: keyof Look): number[] => looks.map((look) => look[key]);
  const sum = (key: keyof Look): number => all(key).reduce((a, b) => a + b, 0);
  const widths = `${WIDTHS.join(", ")} px: nothing may be wider than its column unless it scrolls and shows that it does`;
  console.log(`${sum("pages")} pages at ${widths}; ${sum("byAxe")} of them by axe, in light and dark`);
  console.log(
    `at most ${Math.max(...all("requests"))} requests and ${Math.ceil(Math.max(...all("bytes")) / 1000)} kB for a page`,
  );
  console.log(`${sum("findings")} findings`);
  if (sum("findings") > 0) process.exitCode = 1;
}

async function show(browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ reducedMotion: "reduce", colorScheme });
    for (const name of SHOWN) {
      await page.goto(url + name);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const shot = `${name.replaceAll("/", "-").replace(".html", "")}-${colorScheme}-${width}.png`;
        await page.screenshot({ path: join(folder, shot) });
      }
    }
    await page.close();
  }
}
