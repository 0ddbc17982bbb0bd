// Runs Lighthouse on the built site's first page and guides, as on a phone with a slow network: each category needs at
// least 95 points. Usage: lighthouse.ts, after the site is built; the environment may name the browser as CHROMIUM.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { launchChromium } from "@agentprint/testing/chromium";
import { serveFolder } from "@agentprint/testing/serve-folder";
import lighthouse from "lighthouse";

const PAGES = ["index.html", "guides/pin.html", "guides/policy.html", "background/concepts.html"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const MIN_POINTS = 95;
/** The most attempts per page: other programs on the machine can lower the score, but never raise it. */
const MAX_RUNS = 3;

const { url, close } = await serveFolder(fileURLToPath(new URL("../dist", import.meta.url)), "/");
const port = await freePort();
const browser = await launchChromium([`--remote-debugging-port=${port}`]);
try {
  for (const page of PAGES) await judge(page);
} finally {
  await browser.close();
  close();
}

/**
 * Prints the points of a page; a category with too few in the last run fails, and the message names the audits that
 * cost points.
 */
async function judge(page: string, run = 1): Promise<void> {
  const result = await lighthouse(url + page, { port, onlyCategories: CATEGORIES, logLevel: "error" });
  const { categories, audits } = result?.lhr ?? {};
  const points = CATEGORIES.map((id) => [id, Math.round((categories?.[id]?.score ?? 0) * 100)] as const);
  console.log(`${page}: ${points.map(([id, score]) => `${id} ${score}`).join(", ")}`);
  if (run < MAX_RUNS && points.some(([, score]) => score < MIN_POINTS)) return judge(page, run + 1);
  for (const [id, score] of points) {
    if (score >= MIN_POINTS) continue;
    process.exitCode = 1;
    const lost = (categories?.[id]?.auditRefs ?? [])
      .map((reference) => ({ weight: reference.weight, audit: audits?.[reference.id] }))
      .filter(({ weight, audit }) => weight > 0 && audit?.score !== null && (audit?.score ?? 0) < 1);
    const reasons = lost.map(({ audit }) => `${audit?.title} (${audit?.displayValue ?? audit?.id})`);
    console.log(`missed: ${page} has ${score} of ${MIN_POINTS} points for ${id}: ${reasons.join("; ")}`);
  }
}

/** Returns a free port for the protocol with which Lighthouse controls the browser. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
