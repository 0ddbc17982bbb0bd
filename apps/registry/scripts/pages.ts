// Checks every page in a real browser: keyboard, dark and light, phone width, both languages, and axe-core.
// Usage: pages.ts [folder for screenshots]; the environment may name the browser as CHROMIUM.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertUsable, complaintsOf, launchChromium } from "@agentprint/testing/chromium";
import axe from "axe-core";
import { pino } from "pino";
import type { Page } from "playwright-core";
import { loadConfig } from "../src/config/config.ts";
import { EVERY_AGENT, issueKey } from "../src/keys/keys.ts";
import { startRegistry } from "../src/serve.ts";
import { openStore } from "../src/store/open-store.ts";
import { HOSTILE, STORY } from "../test/support/story.ts";

const PATHS = {
  agents: "/",
  timeline: "/pages/agents/demo",
  manifest: "/pages/agents/demo/manifest",
  draft: "/pages/agents/demo/draft",
  diff: "/pages/agents/demo/diff?from=1&to=2",
  "consent-new": "/pages/agents/demo/consent",
  consent: "/pages/agents/demo/consent?accepted=1",
  history: "/pages/agents/demo/history",
  error: "/pages/agents/nobody",
  docs: "/docs",
} as const;
const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** Each page is checked in light and dark, at desktop and phone width, in both languages. */
const VIEWS = [
  ["light", "wide", "en"],
  ["dark", "phone", "zh"],
  ["light", "phone", "en"],
  ["dark", "wide", "zh"],
] as const;

const [screenshots] = process.argv.slice(2);
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "registry-pages-"));
const database = `file:${join(folder, "registry.db")}`;
const settings = { DATABASE: database, PORT: "0", CHECKPOINT_INTERVAL_SECONDS: "1", ADDRESS_LIMIT: "100000" };
const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`AGENTPRINT_REGISTRY_${name}`, value]));
const browser = await launchChromium();
const registry = await startRegistry(loadConfig(env), pino({ level: "silent" }));
try {
  const token = await publishStory();
  let looks = 0;
  for (const [colorScheme, size, language] of VIEWS) {
    const context = await browser.newContext({
      colorScheme,
      viewport: SIZES[size],
      locale: language,
      reducedMotion: "reduce",
    });
    for (const [name, path] of Object.entries(PATHS)) {
      await lookAt(await context.newPage(), name, path, `${name}-${colorScheme}-${size}-${language}`);
      looks++;
    }
    await context.close();
  }
  await walkByKeyboard(await browser.newPage());
  await verifyInBrowser(await browser.newPage());
  await publishInBrowser(await browser.newPage(), token);
  console.log(`${browser.version()}: ${looks} looks at ${Object.keys(PATHS).length} pages, axe found 0 violations`);
  console.log("every page can be reached and used by keyboard; the history verifies, and a rewritten one is detected");
} finally {
  await browser.close();
  await registry.close();
  rmSync(folder, { recursive: true });
}

async function publishStory(): Promise<string> {
  const store = await openStore(database);
  const { token } = await issueKey(store, EVERY_AGENT, new Date());
  await store.close();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (const [index, manifest] of STORY.entries()) {
    const response =
      index === 0
        ? await fetch(`${registry.url}/agents`, {
            method: "POST",
            headers,
            body: JSON.stringify({ agent_id: "demo", manifest }),
          })
        : await fetch(`${registry.url}/agents/demo`, { method: "PATCH", headers, body: JSON.stringify(manifest) });
    assert.ok(response.ok, await response.text());
  }
  while ((await fetch(`${registry.url}/agents/demo/checkpoint`)).status !== 200);
  return token;
}

/**
 * A page must have no accessibility violations, must not be affected by hostile text, and must not be wider than the
 * window.
 */
async function lookAt(page: Page, name: string, path: string, shot: string): Promise<void> {
  const complaints = complaintsOf(page, registry.url);
  await page.goto(registry.url + path, { waitUntil: "load" });
  if (name === "history") await page.getByRole("status").getByText("✓").first().waitFor();
  const isErrorPage = name === "error";
  assert.deepEqual(
    complaints.filter((text) => !(isErrorPage && text.includes("404"))),
    [],
    shot,
  );
  assert.notEqual(await page.title(), "owned");
  assert.ok(!(await page.content()).includes(HOSTILE.html));
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${shot}.png`), fullPage: true });
  await assertUsable(page, axe.source, shot);
  await page.close();
}

/** Checks an invalid manifest and one that changes something, and publishes the second. */
async function publishInBrowser(page: Page, token: string): Promise<void> {
  await page.goto(`${registry.url}/pages/agents/demo/draft?lang=en`);
  const status = page.getByRole("status");
  const check = async (manifest: string): Promise<void> => {
    await page.getByLabel("Manifest (JSON)").fill(manifest);
    await page.getByRole("button", { name: "Check" }).click();
  };
  await page.getByLabel("Key", { exact: true }).fill(token);
  await check('{\n  "schema_version": "2.0"\n}');
  await status.getByText("2:21 /schema_version").waitFor();
  assert.equal(await page.getByRole("button", { name: "Publish" }).isVisible(), false);
  await check(JSON.stringify({ ...STORY[0], agent_version: "7.0.0" }));
  await status.getByText(`Valid: it would be version ${STORY.length + 1}`).waitFor();
  await assertUsable(page, axe.source, "draft-checked");
  await page.getByRole("button", { name: "Publish" }).click();
  await status.getByText(`Published as version ${STORY.length + 1}`).waitFor();
  await page.close();
}

/** Goes from the list of agents to the questions for a user with the keyboard alone. */
async function walkByKeyboard(page: Page): Promise<void> {
  const follow = async (text: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      assert.equal(await focused.count(), 1);
      const outline = await focused.evaluate((element) => getComputedStyle(element).outlineStyle);
      assert.equal(outline, "solid", `the focus on ${await focused.textContent()} is visible`);
      if (((await focused.textContent()) ?? "").trim() !== text) continue;
      await Promise.all([page.waitForLoadState("load"), page.keyboard.press("Enter")]);
      return;
    }
    throw new Error(`${text} cannot be reached by keyboard`);
  };
  await page.goto(`${registry.url}/?lang=en`);
  await follow("Skip to the content");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  await follow("demo");
  await page.waitForURL(/agents\/demo\?/);
  await follow("Compare with the previous version");
  await page.waitForURL(/diff/);
  await page.getByLabel("From version").focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.waitForURL(/from=1&to=3/);
  await page.goto(`${registry.url}/pages/agents/demo?lang=en`);
  await follow("What a new user is asked");
  await page.waitForURL(/consent/);
  assert.ok(await page.getByRole("heading", { name: "Send notifications" }).isVisible());
  await follow("中文");
  await page.waitForURL(/lang=zh/);
  assert.ok(await page.getByRole("heading", { name: "发送通知" }).isVisible());
}

/** The browser accepts the history, but not a history that contradicts a checkpoint that someone kept. */
async function verifyInBrowser(page: Page): Promise<void> {
  const kept = await (await fetch(`${registry.url}/agents/demo/checkpoint`)).text();
  const status = page.getByRole("status");
  await page.goto(`${registry.url}/pages/agents/demo/history?lang=en`);
  await status.getByText(`All records are intact: ${STORY.length}.`).waitFor();
  await page.getByLabel("Checkpoint that you kept").fill(kept);
  await page.getByRole("button", { name: "Verify" }).click();
  await status.getByText("The checkpoint that you kept matches").waitFor();
  await page.route("**/history?after=0", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.entries[1].record.content = body.entries[1].record.content.replace(/"key_id":"./, '"key_id":"!');
    await route.fulfill({ response, json: body });
  });
  await page.getByRole("button", { name: "Verify" }).click();
  await status.getByText("The history was changed. Problems: 1.").waitFor();
  assert.deepEqual(
    await page
      .locator("#records tr")
      .allInnerTexts()
      .then((rows) => rows.map((row) => row.split("\t").at(-1))),
    ["intact", "altered", "intact"],
  );
  await page.getByLabel("Public key of the registry").fill("somebody+else");
  await page.keyboard.press("Enter");
  await status.getByText("The history could not be verified:").waitFor();
}
