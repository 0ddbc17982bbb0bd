// Uses every tool of the built page in a real browser; checks its results, hostile texts, keyboard use, accessibility
// (axe-core), the first load, and use without a network. Usage: pages.ts [folder for screenshots]; the environment
// variable CHROMIUM may name the browser.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { complaintsOf, launchChromium } from "@agentprint/testing/chromium";
import { serveFolder } from "@agentprint/testing/serve-folder";
import { PAGE_HEADER, WORKER_HEADER } from "../build/policies.ts";
import { buildPage } from "./build-page.ts";
import { checkKeyboard } from "./checks/keyboard.ts";
import { checkOffline } from "./checks/offline.ts";
import { checkSchemas } from "./checks/schemas.ts";
import { useEveryTool } from "./every-tool.ts";

/** The maximum compressed size in bytes of the page and its first tool. */
const MAX_FIRST_LOAD = 150 * 1024;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "playground-"));
const browser = await launchChromium();
try {
  await buildPage(folder);
  await visitFirst();
  // The page is at a subpath of a server that sends no header, so that only the policy in the page applies.
  const views = [
    ["light", "wide", "English"],
    ["dark", "phone", "中文"],
  ] as const;
  await useEveryTool(browser, await serveFolder(folder, "/below/a path/"), views, screenshots);
  await useWithHeaders();
  await checkOffline(browser, await serveFolder(folder, "/"));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/**
 * The files of the first visit stay below the budget and include no tool but the first; the keyboard alone suffices.
 */
async function visitFirst(): Promise<void> {
  const { url, close } = await serveFolder(folder, "/");
  const page = await browser.newPage({ locale: "en" });
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(request.url().slice(url.length)));
  await page.goto(url);
  await page.locator(".result").waitFor();
  const names = [...asked].filter((name) => name !== "service-worker.js").map((name) => name || "index.html");
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  assert.ok(bytes <= MAX_FIRST_LOAD, `the first load has ${bytes} bytes: ${names.join(", ")}`);
  const all = readdirSync(join(folder, "assets")).length;
  console.log(`first load: ${names.length} of ${all + 1} files, ${(bytes / 1024).toFixed(1)} KB compressed`);
  await checkKeyboard(page);
  await page.close();
  close();
}

/** Returns the policy that the README recommends for a file. */
function headerOf(name: string): string {
  return name.startsWith("assets/worker-") ? WORKER_HEADER : PAGE_HEADER;
}

/** A counterexample is also confirmed with the headers from the README. */
async function useWithHeaders(): Promise<void> {
  const { url, close } = await serveFolder(folder, "/", headerOf);
  const page = await browser.newPage({ locale: "en" });
  const complaints = complaintsOf(page, url);
  await page.goto(url);
  await checkSchemas(page);
  assert.deepEqual(complaints, []);
  await page.close();
  close();
}
