/// <reference lib="dom" />
// Checks that take too long for a pull request: every tool in every view, the vectors with values of a million levels,
// and a trail of 50 MB, which is verified while the page continues drawing. Usage: long.ts [folder for screenshots].
import assert from "node:assert/strict";
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchChromium } from "@agentprint/testing/chromium";
import { serveFolder } from "@agentprint/testing/serve-folder";
import { createThought, formatThoughtLine, verifyTaskLines } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";
import type { Page } from "playwright-core";
import { buildPage } from "./build-page.ts";
import { checkVectors } from "./checks/vector.ts";
import { ALL_VIEWS, useEveryTool } from "./every-tool.ts";
import { openTool, resultOf } from "./tool-page.ts";

const TRAIL_BYTES = 50e6;
/** In milliseconds. */
const MAX_FRAME_GAP = 200;
/** The limit for the page's process, which includes the heaps of the page and its worker. */
const MAX_PEAK_MB = 400;
/** How many times Node's wall-clock time the page may take. */
const MAX_RATIO = 6;
const ROUNDS = 5;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "playground-long-"));
const browser = await launchChromium();
try {
  await buildPage(join(folder, "page"));
  await verifyLargeTrail();
  await useEveryTool(browser, await serve(), ALL_VIEWS, screenshots);
  await runDeepVectors();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

function serve() {
  return serveFolder(join(folder, "page"), "/");
}

async function runDeepVectors(): Promise<void> {
  const { url, close } = await serve();
  const page = await browser.newPage({ locale: "en" });
  page.setDefaultTimeout(300_000);
  await page.goto(url);
  await checkVectors(page, ["canonical-json/deep-and-wide"]);
  await page.close();
  close();
}

/**
 * The page draws while it verifies, shows its progress, takes at most six times as long as Node, uses little memory,
 * and can be cancelled.
 */
async function verifyLargeTrail(): Promise<void> {
  const trail = join(folder, "trail.jsonl");
  const records = writeTrail(trail);
  const { url, close } = await serve();
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(url);
  await openTool(page, "Trails");
  await page.locator("input[type=file]").first().setInputFiles(trail);
  await page.getByText("trail.jsonl").waitFor();
  const ratios: number[] = [];
  const gaps: number[] = [];
  // The two take turns, so that both are measured under the same conditions.
  for (let round = 0; round < ROUNDS; round++) {
    const [start, usedBefore] = [performance.now(), process.cpuUsage()];
    assert.ok((await verifyTaskLines(createReadStream(trail))).ok);
    const inNode = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(usedBefore);
    const before = await secondsOfPages();
    gaps.push(await verifyDrawing(page));
    const inPage = Number(/verified in ([\d.]+) s/.exec(await resultOf(page))?.[1]);
    ratios.push(inPage / inNode);
    const cpu = `${((user + system) / 1e6).toFixed(2)} and ${((await secondsOfPages()) - before).toFixed(2)} s of processor time`;
    const seconds = `Node ${inNode.toFixed(2)} s, page ${inPage.toFixed(2)} s (${cpu})`;
    console.log(`round ${round + 1}: ${seconds}, longest frame gap ${gaps.at(-1)?.toFixed(0)} ms`);
  }
  assert.match(await resultOf(page), new RegExp(`All intact: ${records} records`));
  const peak = await peakMegabytes();
  const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  console.log(
    `${records} records: median ${ratio.toFixed(2)} times Node, peak ${peak.toFixed(0)} MB of the whole process`,
  );
  await cancel(page);
  requireAtMost(MAX_FRAME_GAP, Math.max(...gaps), "milliseconds between two frames");
  requireAtMost(MAX_PEAK_MB, peak, "MB of the whole process");
  requireAtMost(MAX_RATIO, ratio, "times Node's time");
  await context.close();
  close();
}

/** Reports a missed bar, and continues with the other measurements. */
function requireAtMost(bar: number, measured: number, what: string): void {
  if (measured <= bar) return;
  console.log(`missed: ${measured.toFixed(2)} ${what}, expected at most ${bar}`);
  process.exitCode = 1;
}

/** Verifies the trail once; returns the longest time between two frames during the verification. */
async function verifyDrawing(page: Page): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, last: performance.now(), isOver: false };
    Object.assign(globalThis, { watch });
    const frame = (now: number): void => {
      watch.longest = Math.max(watch.longest, now - watch.last);
      watch.last = now;
      if (!watch.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.locator("form button.main").click();
  await page.locator("progress[value]").first().waitFor();
  await page.locator(".chain > li").nth(49).waitFor();
  return page.evaluate(() => {
    const { watch } = globalThis as unknown as { watch: { longest: number; isOver: boolean } };
    watch.isOver = true;
    return watch.longest;
  });
}

async function cancel(page: Page): Promise<void> {
  const [worker] = page.workers();
  const ended = worker?.waitForEvent("close");
  await page.locator("form button.main").click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").waitFor();
  await ended;
}

async function renderers(): Promise<readonly { readonly id: number; readonly cpuTime: number }[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer");
}

/** Returns the processor time in seconds that the pages' processes have taken so far. */
async function secondsOfPages(): Promise<number> {
  return (await renderers()).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Returns the peak memory of a page's process, as the operating system counts it. */
async function peakMegabytes(): Promise<number> {
  const peaks = (await renderers()).map(({ id }) =>
    Number(/VmHWM:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]),
  );
  return Math.max(...peaks) / 1000;
}

/** Writes a chain of 50 MB; returns how many records it has. */
function writeTrail(path: string): number {
  const lines: string[] = [];
  let previous: ThoughtRecord | null = null;
  for (let bytes = 0; bytes < TRAIL_BYTES; ) {
    const content = `Thought ${lines.length}: ${"read the file, then say what is in it. ".repeat(5)}`;
    const fields = { task_id: "long", agent_id: "planner", type: "plan", content } as const;
    previous = createThought(fields, previous, { id: `r${lines.length}`, now: "2026-04-01T12:00:00.000Z" });
    const line = formatThoughtLine(previous);
    bytes += line.length;
    lines.push(line);
  }
  writeFileSync(path, lines.join(""));
  return lines.length;
}
