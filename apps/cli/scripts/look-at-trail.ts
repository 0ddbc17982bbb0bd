// Tests the page that `agentprint trail show --html` writes in a real browser: its content and verification, use by
// keyboard, dark and light themes, phone width, hostile texts, 100,000 records, and the rules of axe-core. Usage:
// look-at-trail.ts [folder for screenshots]; the variable CHROMIUM may name the browser.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { assertUsable, complaintsOf, launchChromium } from "@agentprint/testing/chromium";
import { chainOf, HOSTILE_TEXTS, recordCalls, recordRun, SECRET } from "@agentprint/testing/trail/recorded-run";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { runCli } from "../test/support/run-cli.ts";

const MANY = 100_000;
const MAX_BYTES = 20e6;
/** In milliseconds. */
const MAX_FIRST_PAINT = 2000;
const VIEWS = [
  ["light", 1280],
  ["dark", 360],
] as const;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "agentprint-look-"));
const browser = await launchChromium();
try {
  writeFileSync(join(folder, "secret"), Buffer.from(SECRET).toString("hex"));
  await recordRun(folder, "s1");
  writeFileSync(
    join(folder, "hostile.jsonl"),
    HOSTILE_TEXTS.map((text) => chainOf(text || "t", [text, `${text}${text}`])).join(""),
  );
  for (const name of ["s1", "hostile"]) await lookAt(name, await write(name));
  await lookAtAnchors();
  await walkByKeyboard();
  await findAltered();
  await lookAtMany();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Runs a trail command; returns its output. */
async function trail(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(["trail", ...args], { cwd: folder });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Writes the page of a chain; returns its address. */
async function write(name: string, source = `${name}.jsonl`, ...more: readonly string[]): Promise<string> {
  await trail("show", source, "--event-key", "secret", "--html", `${name}.html`, ...more);
  return pathToFileURL(join(folder, `${name}.html`)).href;
}

/** Checks that the page names the checkpoint of the run, and has compared the records with it. */
async function lookAtAnchors(): Promise<void> {
  const store = "file:anchored.db";
  const origin = "example.com/log";
  const [key = ""] = (await trail("keygen", origin, "log.key")).split("\n");
  await trail("import", store, "s1.jsonl");
  await trail("checkpoint", store, "--task", "s1", "--origin", origin, "--key-file", "log.key", "-o", "note");
  const page = await browser.newPage();
  await page.goto(await write("anchored", store, "--key", key, "--origin", origin));
  assert.match(await verdictOf(page), /✓ 13 records, all intact/);
  await page.getByLabel("Show").selectOption("checkpoints");
  const rows = await page.locator("#rows li").allTextContents();
  assert.deepEqual(rows, ["✓ checkpointthe first 13 recordssigned by example.com/log"]);
  console.log("a checkpoint anchors the run");
}

async function verdictOf(page: Page): Promise<string> {
  await page.locator("#verdict .good, #verdict .bad").waitFor();
  return (await page.locator("#verdict").textContent()) ?? "";
}

async function lookAt(name: string, url: string): Promise<void> {
  for (const [colorScheme, width] of VIEWS) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const complaints = complaintsOf(page, url);
    await page.goto(url);
    assert.match(await verdictOf(page), /✓ .*all intact, as the command verified/);
    for (const summary of await page.locator("summary").all()) await summary.click();
    await page.locator("pre").last().waitFor();
    const shot = `${name}-${colorScheme}-${width}`;
    assert.doesNotMatch(await page.title(), /^owned|^1$/);
    assert.equal(await page.evaluate(() => "polluted" in {}), false);
    assert.equal(await page.locator("main img, main iframe, [onfocus], [onerror]").count(), 0);
    if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${shot}.png`), fullPage: true });
    await assertUsable(page, axe.source, shot);
    assert.deepEqual(complaints, [], shot);
    await context.close();
  }
  console.log(`${name}: ${VIEWS.length} looks, axe found 0 violations, nothing was requested from the network`);
}

/** Navigates by keyboard from the top of the page to an opened record, and to the refused calls. */
async function walkByKeyboard(): Promise<void> {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(folder, "s1.html")).href);
  await verdictOf(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "timeline");
  await page.keyboard.press("Tab");
  await page.keyboard.type("what");
  assert.deepEqual(await page.locator("#rows .what").allTextContents(), ["files › delete_file"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Tab");
  await page.keyboard.type("stat");
  assert.deepEqual(await page.locator("#rows .what").allTextContents(), ["files › stat"]);
  await page.keyboard.press("Tab");
  const outline = await page.locator(":focus").evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(outline, "solid");
  await page.keyboard.press("Enter");
  await page.locator("pre").nth(1).waitFor();
  assert.match((await page.locator("pre").nth(1).textContent()) ?? "", /"outcome": "error"/);
  console.log("a record is found and opened by keyboard");
}

/** Checks that the page reports an altered record, and an unreadable page, as altered. */
async function findAltered(): Promise<void> {
  const html = readFileSync(join(folder, "s1.html"), "utf8");
  const [element = "", base64 = "", values = ""] = /class="block">([A-Za-z0-9+/=]*) ([A-Za-z0-9+/=]*)/.exec(html) ?? [];
  const text = gunzipSync(Buffer.from(base64, "base64")).toString();
  const altered = gzipSync(text.replace("then delete it", "then keep it")).toString("base64");
  const path = join(folder, "altered.html");
  const page = await browser.newPage();
  const look = async (block: string): Promise<string> => {
    writeFileSync(path, html.replace(element, `class="block">${block}`));
    await page.goto(pathToFileURL(path).href);
    return verdictOf(page);
  };
  assert.match(
    await look(`${altered} ${values}`),
    /✗ this page was changed after the command wrote it.*record "s1.t0" was altered/s,
  );
  await page.getByRole("button", { name: "Next problem" }).press("Enter");
  assert.match((await page.locator(":focus").textContent()) ?? "", /✗ plan.*then keep it.*the record has a problem/s);
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, "altered.png") });
  await assertUsable(page, axe.source, "altered");
  for (const broken of [`${base64.slice(0, -200)} ${values}`, `${base64} ${values.slice(0, -8)}`, base64, "!", ""]) {
    assert.match(await look(broken), /✗ this page cannot be read, so it was changed after the command wrote it/);
  }
  console.log("what was altered in a page is shown as altered");
}

/**
 * Checks a page of many records. The records are signed, because signatures are longer than seals made with a secret.
 */
async function lookAtMany(): Promise<void> {
  const { signerKey, verifierKey } = createNoteKeys("example.com/recorder", SECRET);
  writeFileSync(join(folder, "public"), verifierKey);
  await recordCalls(folder, "many", MANY, createNoteSigner(signerKey));
  const url = await write("many", "many.jsonl", "--event-key", "public");
  const { size } = statSync(join(folder, "many.html"));
  assert.ok(size <= MAX_BYTES, `the page of ${MANY} records has ${size} bytes`);
  const page = await browser.newPage();
  const complaints = complaintsOf(page, url);
  await page.goto(url, { waitUntil: "commit" });
  await page.locator("#rows li").first().waitFor();
  const [paint = 0, rows] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    performance.now(),
  ]);
  assert.ok(paint > 0 && paint <= MAX_FIRST_PAINT, `first paint after ${paint} ms`);
  assert.match(await verdictOf(page), new RegExp(`✓ ${MANY} records, all intact`));
  const verified = await page.evaluate(() => performance.now());
  await page.getByRole("button", { name: "Later" }).click();
  assert.match((await page.locator("#position").textContent()) ?? "", /^rows 201 to 400 of /);
  await page.getByLabel("Find").fill("tool_99");
  assert.match((await page.locator("#position").textContent()) ?? "", /chosen from/);
  await assertUsable(page, axe.source, "many");
  assert.deepEqual(complaints, []);
  const seconds = (ms: number | undefined): string => `${((ms ?? 0) / 1000).toFixed(1)} s`;
  const figures = `first paint ${seconds(paint)}, rows ${seconds(rows)}, verified ${seconds(verified)}`;
  console.log(`${MANY} signed records: ${(size / 1e6).toFixed(1)} MB, ${figures}`);
}
