/// <reference lib="dom" />
import assert from "node:assert/strict";
import { join } from "node:path";
import { assertUsable, complaintsOf } from "@agentprint/testing/chromium";
import type { Served } from "@agentprint/testing/serve-folder";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { checkCanonical } from "./checks/canonical.ts";
import { checkCompare } from "./checks/compare.ts";
import { checkSchemas } from "./checks/schemas.ts";
import { checkSharing } from "./checks/sharing.ts";
import { checkStatement } from "./checks/statement.ts";
import { checkStories } from "./checks/stories.ts";
import { checkText } from "./checks/text.ts";
import { checkTrail } from "./checks/trail.ts";
import { checkVectors } from "./checks/vector.ts";

/** The warning that `agent-capabilities` logs for some of its vectors. */
const OPAQUE = /is hashed only as its vendor and version/;

const CHECKS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  canonical: checkCanonical,
  compare: checkCompare,
  schemas: checkSchemas,
  trail: checkTrail,
  statement: checkStatement,
  text: checkText,
  vector: checkVectors,
};

const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const;

/** The view in which a tool is checked. */
export type View = readonly [colorScheme: "dark" | "light", size: keyof typeof SIZES, language: "English" | "中文"];

/** Every combination of colour scheme, size and language. */
export const ALL_VIEWS: readonly View[] = (["light", "dark"] as const).flatMap((scheme) =>
  (["wide", "phone"] as const).flatMap((size) =>
    (["English", "中文"] as const).map((language): View => [scheme, size, language]),
  ),
);

/** Uses every tool of the page in the first of some views, and checks each tool in all of them. */
export async function useEveryTool(
  browser: Browser,
  { url, close }: Served,
  views: readonly View[],
  screenshots: string | undefined,
): Promise<void> {
  const context = await browser.newContext({ locale: "en", reducedMotion: "reduce", viewport: SIZES.wide });
  const page = await context.newPage();
  const complaints = complaintsOf(page, url);
  await page.goto(url);
  await checkStories(page, url);
  for (const [name, check] of Object.entries(CHECKS)) {
    await check(page);
    assert.match(await page.title(), / · agentprint playground$/);
    assert.equal(await page.locator("main img, main iframe, main script, [onerror]").count(), 0, name);
    for (const [colorScheme, size, language] of views) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(SIZES[size]);
      await speak(page, language);
      const shot = `${name}-${colorScheme}-${size}-${language === "English" ? "en" : "zh"}`;
      if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${shot}.png`), fullPage: true });
      await assertUsable(page, axe.source, shot);
    }
    await page.setViewportSize(SIZES.wide);
    await speak(page, "English");
  }
  await checkSharing(page, url);
  assert.equal(await page.evaluate(() => "polluted" in {}), false);
  assert.deepEqual(
    complaints.filter((text) => !OPAQUE.test(text)),
    [],
  );
  await context.close();
  close();
  const looks = Object.keys(CHECKS).length * views.length;
  console.log(`${Object.keys(CHECKS).length} tools, ${looks} looks: axe found 0 violations, no request left the page`);
}

/** The button for the language is shown only while the page is in the other language. */
async function speak(page: Page, language: View[2]): Promise<void> {
  const button = page.getByRole("button", { name: language, exact: true });
  if ((await button.count()) > 0) await button.click();
}
