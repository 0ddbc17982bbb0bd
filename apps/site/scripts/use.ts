/// <reference lib="dom" />
// Uses the pages as readers do: searches, goes from guides to the reference and back, copies code, prints, and asks for
// a page that does not exist.
import assert from "node:assert/strict";
import { assertUsable } from "@agentprint/testing/chromium";
import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { addressOf } from "../src/addresses.ts";
import { GROUPS } from "../src/pages.ts";

/** Search terms of readers, and the page that each must list first. */
const SEARCHES: Readonly<Record<string, string>> = {
  policy: "guides/policy.html",
  secret: "guides/hosted.html",
  "exit code": "guides/ci.html",
  "rug pull": "guides/guard.html",
  OAuth: "guides/hosted.html",
  lockfile: "guides/pin.html",
  pin: "guides/pin.html",
  "test vector": "guides/port.html",
  SBOM: "look-up/standards.html",
  audit: "guides/audit.html",
};

/** How often the search key is pressed at most. */
const MAX_PRESSED = 30;

export async function search(page: Page, url: string): Promise<void> {
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
}

/** Presses the search key until the search opens: a page that has just loaded does not listen yet. */
async function openSearch(page: Page): Promise<Locator> {
  const input = page.locator(".VPLocalSearchBox input");
  for (let pressed = 0; pressed < MAX_PRESSED && !(await input.isVisible()); pressed++) {
    await page.keyboard.press("Control+k");
    await input.waitFor({ timeout: 1000 }).catch(() => {});
  }
  return input;
}

/** Checks that each guide leads to the next one, from the first to the last, and names its file. */
export async function readGuides(page: Page, url: string): Promise<void> {
  const guides = GROUPS["Guides"] ?? [];
  await page.goto(`${url}${addressOf(guides[0] ?? "")}.html`);
  for (const [index, guide] of guides.entries()) {
    await page.locator(".source code", { hasText: guide }).waitFor();
    const previous = page.locator(".pager-link.prev");
    assert.equal(await previous.count(), index === 0 ? 0 : 1, guide);
    if (index < guides.length - 1) await page.locator(".pager-link.next").click();
  }
}

/**
 * Checks that the reference leads to every group of pages and from a package to its page, and that the page leads back.
 */
export async function changeSides(page: Page, url: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}guides/pin.html`);
  await page.locator(".VPNavBarMenuLink", { hasText: "Reference" }).click();
  await page.waitForURL(`${url}reference/index.html`);
  const links = page.locator("#tsd-toolbar-links a");
  assert.deepEqual(await links.allTextContents(), Object.keys(GROUPS));
  await page.locator("#tsd-nav-container a", { hasText: /^@agentprint\/mcp-lock$/ }).click();
  await page.locator(".to-page a").click();
  await page.waitForURL(`${url}packages/mcp-lock.html`);
  await page.locator(".source a", { hasText: "in the reference" }).click();
  await page.waitForURL(`${url}reference/modules/_agentprint_mcp-lock.html`);
  await page.locator("#tsd-toolbar-links a").first().click();
  await page.waitForURL(`${url}guides/pin.html`);
}

/** Checks that guides and reference share the choice of colours, wherever a reader makes it. */
export async function chooseColours(page: Page, url: string): Promise<void> {
  const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
  await page.goto(`${url}guides/pin.html`);
  await page.locator(".VPNavBarAppearance button").click();
  await page.locator("html.dark").waitFor();
  await page.goto(`${url}reference/index.html`);
  assert.equal(await theme(), "dark");
  await page.locator(".settings summary").click();
  await page.locator("#tsd-theme").selectOption("light");
  await page.goto(`${url}guides/pin.html`);
  assert.equal(await page.locator("html.dark").count(), 0);
}

/** Checks that the menus open on a phone and lead to other pages. */
export async function useMenus(page: Page, url: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}guides/pin.html`);
  await page.locator(".VPLocalNav button.menu").click();
  await page.locator(".VPSidebar.open").waitFor();
  await assertUsable(page, axe.source, "the list of guides on a phone");
  await page.locator(".VPSidebar a", { hasText: "Guard your servers" }).click();
  await page.waitForURL(`${url}guides/guard.html`);
  await page.locator(".VPNavBarHamburger").click();
  await page.locator(".VPNavScreen a", { hasText: "Reference" }).waitFor();
  await assertUsable(page, axe.source, "the menu on a phone");
  await page.locator(".VPNavScreen a", { hasText: "Reference" }).click();
  await page.waitForURL(`${url}reference/index.html`);
  await page.locator("#tsd-toolbar-menu-trigger").click();
  await page.locator("#tsd-sidebar-links a", { hasText: "Guides" }).click();
  await page.waitForURL(`${url}guides/pin.html`);
}

/**
 * Checks that the button copies the code, a scrolling block fades where it continues, and the first key leads past the
 * navigation.
 */
export async function useCode(page: Page, url: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}packages/canonical-json.html`);
  const block = page.locator('.vp-doc div[class*="language-ts"]').first();
  await block.hover();
  await block.locator("button.copy").click();
  await block.locator("button.copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.trim(), (await block.locator("code").textContent())?.trim());
  const faded = (): Promise<string[]> =>
    block.locator("pre").evaluate(async (element) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const style = getComputedStyle(element);
      return ["--more-before", "--more-after"].map((name) => style.getPropertyValue(name));
    });
  assert.deepEqual(await faded(), ["0px", "48px"]);
  await block.locator("pre").evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  assert.deepEqual(await faded(), ["48px", "0px"]);
  await page.goto(`${url}guides/pin.html`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "VPSkipLink visually-hidden");
}

/** Checks that on paper nothing is cut off and the navigation is left out. */
export async function print(page: Page, url: string): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  for (const name of ["index.html", "guides/embed.html", "look-up/rules.html", "packages/canonical-json.html"]) {
    await page.goto(url + name);
    assert.equal(await page.locator(".VPNav, .VPSidebar").filter({ visible: true }).count(), 0, name);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".vp-doc pre, .vp-doc table, .picture")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.textContent?.trim().slice(0, 60)),
    );
    assert.deepEqual(cut, [], name);
  }
}

/** Checks that an unknown address shows a page with links to others. */
export async function getLost(page: Page, url: string): Promise<void> {
  await page.goto(`${url}guides/nothing-is-here.html`);
  await page.locator("h1", { hasText: "No page is at this address" }).waitFor();
  await assertUsable(page, axe.source, "the page for what is not there");
  await page.locator(".not-found a").click();
  await page.waitForURL(url);
}
