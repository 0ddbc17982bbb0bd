/// <reference lib="dom" /> Checks pages: their columns, the budget, axe-core, and the policy of the pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assertUsable, complaintsOf } from "@agentprint/testing/chromium";
import axe from "axe-core";
import type { Browser } from "playwright-core";

/** A phone, a tablet, and windows on a small and on a large screen. */
export const WIDTHS = [390, 768, 1280, 1600] as const;

/** The most requests of a page until it has loaded, and the most bytes that they transfer, compressed. */
const BUDGETS = {
  page: { requests: 18, bytes: 175_000 },
  reference: { requests: 12, bytes: 190_000 },
} as const;

/** The parts of a page that have their own width. */
const COLUMNS =
  ".vp-doc, .VPDocFooter, .VPDocAsideOutline, .VPSidebar, .VPNavBar, .VPLocalNav, .col-content, .col-sidebar, .tsd-page-toolbar";

/** Where the built pages are, and the address at which they are served. */
export interface Site {
  readonly folder: string;
  readonly url: string;
}

/** The requests and bytes of the largest page. */
export interface Heaviest {
  requests: number;
  bytes: number;
}

/** Opens pages one after the other, which must not complain, and checks each in every width and in both colours. */
export async function lookAtAll(browser: Browser, { folder, url }: Site, names: readonly string[]): Promise<Heaviest> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  const complaints = complaintsOf(page, url);
  let asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["sec-purpose"] !== "prefetch") asked.push(request.url());
  });
  const heaviest = { requests: 0, bytes: 0 };
  for (const name of names) {
    asked = [];
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(url + name);
    const paths = [...new Set(asked)].filter((address) => address.startsWith(url));
    const bytes = paths.map((address) => sizeOf(folder, address.slice(url.length))).reduce((a, b) => a + b, 0);
    const budget = BUDGETS[name.startsWith("reference/") ? "reference" : "page"];
    assert.ok(paths.length <= budget.requests, `${name}: ${paths.length} requests, expected ${budget.requests}`);
    assert.ok(bytes <= budget.bytes, `${name}: ${bytes} bytes, expected at most ${budget.bytes}`);
    heaviest.requests = Math.max(heaviest.requests, paths.length);
    heaviest.bytes = Math.max(heaviest.bytes, bytes);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await page.evaluate(tooWide, COLUMNS), [], `${name} at ${width} px`);
    }
    await assertUsable(page, axe.source, `${name}, light, wide`);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    await assertUsable(page, axe.source, `${name}, dark, on a phone`);
    assert.deepEqual(complaints, [], name);
  }
  await page.close();
  return heaviest;
}

const sizes = new Map<string, number>();

function sizeOf(folder: string, address: string): number {
  const path = decodeURIComponent(address.replace(/[?#].*/, "")) || "index.html";
  const size = sizes.get(path) ?? gzipSync(readFileSync(join(folder, path))).length;
  sizes.set(path, size);
  return size;
}

/**
 * Runs in a page: what is beyond its column, and what is wider than the room for it and is cut, or scrolls and does not fade
 * at the edge.
 */
async function tooWide(columns: string): Promise<string[]> {
  // The fading follows the layout by a frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const found: string[] = [];
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1 &&
    (element.textContent?.trim() !== "" || element.matches("img, :has(img)"));
  const say = (element: Element, fault: string): void => {
    const { tagName, className, textContent } = element;
    found.push(`${tagName}.${className} ${fault}: ${textContent?.trim().slice(0, 40)}`);
  };
  const walk = (parent: Element, left: number, right: number): void => {
    for (const element of parent.children) {
      if (element instanceof SVGElement || element.matches(columns) || !isSeen(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.right > right + 1) say(element, `is ${Math.round(box.right - right)} px beyond its column`);
      else if (box.left < left - 1) say(element, `is ${Math.round(left - box.left)} px before its column`);
      else if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible") {
        const style = getComputedStyle(element);
        if (!/auto|scroll/.test(style.overflowX)) say(element, "is cut");
        else if (!(Number.parseFloat(style.getPropertyValue("--more-after")) > 0))
          say(element, "does not show that it scrolls");
      } else walk(element, left, right);
    }
  };
  for (const column of document.querySelectorAll(columns)) {
    if (!isSeen(column)) continue;
    const { left, right } = column.getBoundingClientRect();
    walk(column, left, right);
  }
  return found;
}
