/// <reference lib="dom" />
// Checks pages: their columns, their budget, their accessibility (axe-core) and their content security policy.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { complaintsOf, faultsOf } from "@agentprint/testing/chromium";
import axe from "axe-core";
import type { Browser } from "playwright-core";

/** A phone, a tablet, and windows on a small and on a large screen. */
export const WIDTHS = [390, 768, 1280, 1600] as const;

/**
 * The most requests that a page may make until it has loaded, and the most bytes, compressed, that they may transfer.
 */
const BUDGETS = {
  page: { requests: 18, bytes: 175_000 },
  reference: { requests: 12, bytes: 190_000 },
} as const;

/** The parts of a page that have their own width. */
const COLUMNS =
  ".vp-doc, .VPDocFooter, .VPDocAsideOutline, .VPSidebar, .VPNavBar, .VPLocalNav, .col-content, .col-sidebar, .tsd-page-toolbar";

/** The folder of the built pages, and the address at which they are served. */
export interface Site {
  readonly folder: string;
  readonly url: string;
}

/**
 * The numbers of visited pages, of pages that axe checked, and of findings; the requests and bytes of the largest page.
 */
export interface Look {
  pages: number;
  byAxe: number;
  findings: number;
  requests: number;
  bytes: number;
}

/**
 * Opens pages one after the other and checks each in every width; a page must not log errors. axe checks, in light and
 * in dark, each page that has a kind of element not yet in `kinds`, which earlier pages filled.
 */
export async function lookAtAll(
  browser: Browser,
  { folder, url }: Site,
  names: readonly string[],
  kinds: Set<string>,
): Promise<Look> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  const complaints = complaintsOf(page, url);
  let asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["sec-purpose"] !== "prefetch") asked.push(request.url());
  });
  const look = { pages: 0, byAxe: 0, requests: 0, bytes: 0, findings: 0 };
  const say = (name: string, faults: readonly string[]): void => {
    for (const fault of faults) console.log(`Error: ${name}: ${fault}`);
    look.findings += faults.length;
  };
  for (const name of names) {
    [asked, complaints.length] = [[], 0];
    await page.goto(url + name);
    const paths = [...new Set(asked)].filter((address) => address.startsWith(url));
    const bytes = paths.map((address) => sizeOf(folder, address.slice(url.length))).reduce((a, b) => a + b, 0);
    const budget = BUDGETS[name.startsWith("reference/") ? "reference" : "page"];
    if (paths.length > budget.requests) say(name, [`${paths.length} requests, expected ${budget.requests}`]);
    if (bytes > budget.bytes) say(name, [`${bytes} bytes, expected at most ${budget.bytes}`]);
    look.pages += 1;
    look.requests = Math.max(look.requests, paths.length);
    look.bytes = Math.max(look.bytes, bytes);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(nextFrames);
      say(`${name} at ${width} px`, await page.evaluate(tooWide, COLUMNS));
    }
    const found = await page.evaluate(kindsOfElements);
    if (found.some((kind) => !kinds.has(kind))) {
      for (const kind of found) kinds.add(kind);
      look.byAxe += 1;
      say(`${name}, light, wide`, await faultsOf(page, axe.source));
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 390, height: 844 });
      // The background of a scrolling block changes colour a few frames after the rest; until then, axe reports a lack
      // of contrast.
      await page.reload();
      say(`${name}, dark, on a phone`, await faultsOf(page, axe.source));
      await page.emulateMedia({ colorScheme: "light" });
    }
    say(name, complaints);
  }
  await page.close();
  return look;
}

/**
 * Runs in a page: returns the properties by which axe judges each element: its name, classes and attributes, its
 * parent's, and for a heading the one before; a duplicate id, and a link or a button without text, are separate kinds.
 */
function kindsOfElements(): string[] {
  const nameOf = (element: Element | null): string =>
    element === null ? "" : `${element.localName}.${element.getAttribute("class")}[${element.getAttributeNames()}]`;
  const kinds = Array.from(document.body.querySelectorAll("*"), (element) => {
    const isNamed = element.textContent?.trim() !== "" || !element.matches("a, button, summary");
    return `${nameOf(element.parentElement)} ${nameOf(element)} ${isNamed}`;
  });
  const ids = Array.from(document.querySelectorAll("[id]"), ({ id }) => id);
  const headings = Array.from(
    document.querySelectorAll("h1, h2, h3, h4, h5, h6"),
    (element) => element.ariaLevel ?? element.localName.slice(1),
  );
  return [
    ...new Set([
      ...kinds,
      ...headings.map((level, place) => `${headings[place - 1]} before ${level}`),
      ...(new Set(ids).size < ids.length ? [`ids of ${location.pathname}`] : []),
    ]),
  ];
}

/** Runs in a page: waits two frames, because the fade of a scrolling block follows the layout by a frame. */
function nextFrames(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

const sizes = new Map<string, number>();

function sizeOf(folder: string, address: string): number {
  const path = decodeURIComponent(address.replace(/[?#].*/, "")) || "index.html";
  const size = sizes.get(path) ?? gzipSync(readFileSync(join(folder, path))).length;
  sizes.set(path, size);
  return size;
}

/**
 * Runs in a page: returns the elements that are wider than their column and are cut off, or scroll without fading at
 * the edge.
 */
function tooWide(columns: string): string[] {
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
      else {
        const style = getComputedStyle(element);
        const isBox = style.overflowX !== "visible";
        // Both widths are rounded.
        if (!isBox || element.scrollWidth <= element.clientWidth + 1)
          walk(element, isBox ? box.left - 1 : left, isBox ? box.right + 1 : right);
        else if (!/auto|scroll/.test(style.overflowX)) say(element, "is cut");
        else if (!(Number.parseFloat(style.getPropertyValue("--more-after")) > 0))
          say(element, "does not show that it scrolls");
      }
    }
  };
  for (const column of document.querySelectorAll(columns)) {
    if (!isSeen(column)) continue;
    const { left, right } = column.getBoundingClientRect();
    walk(column, left, right);
  }
  return found;
}
