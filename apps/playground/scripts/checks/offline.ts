import assert from "node:assert/strict";
import type { Served } from "@agentprint/testing/serve-folder";
import type { Browser } from "playwright-core";
import { openTool, resultOf, runTool } from "../tool-page.ts";

/** After one visit the page opens without a network; once all files are cached, so does every tool. */
export async function checkOffline(browser: Browser, { url, close }: Served): Promise<void> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Keep all tools for use offline" }).click();
  await page.getByText("the page works offline").waitFor();
  close();
  const later = await context.newPage();
  await later.goto(url);
  await openTool(later, "Golden vectors");
  await later.locator("datalist option").first().waitFor({ state: "attached" });
  await runTool(later, { "Id of a vector, or name of a suite": "schema-diff/assertions" });
  assert.match(await resultOf(later), /[0-9]+ passed, 0 failed/);
  await context.close();
  console.log("every tool works without a network, once all are kept");
}
