import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { field, openTool } from "../tool-page.ts";

/** The results of the examples by tool name, in the order in which the page lists the tools. */
const RESULTS: Readonly<Record<string, RegExp>> = {
  "Canonical JSON": /The documents differ: 1 value/,
  "Manifests and locks": /1 breaking/,
  "JSON Schemas": /Breaking.*\{"destination":"a","source":"a"\}/s,
  Trails: /1 problem in 4 records.*does not have the 4 records.*record 3 of the checkpoint.*begin with the 2/s,
  Statements: /not all of it was proven.*major against 1\.2\.0/s,
  Texts: /Equal at this level/,
  "Golden vectors": /tr-hash-0001: passed/,
};

/**
 * Every tool opens with an example and its result, which can be emptied and filled again; a link opens a vector and its
 * input.
 */
export async function checkStories(page: Page, url: string): Promise<void> {
  for (const [name, shown] of Object.entries(RESULTS)) {
    await openTool(page, name);
    await page.locator("main", { hasText: shown }).waitFor();
    await page.locator(".story").getByText("Change this and look:").waitFor();
  }
  await openTool(page, "Texts");
  await page.getByRole("button", { name: "Empty the fields" }).click();
  await page.locator(".result").waitFor({ state: "detached" });
  assert.equal(await field(page, "Text").inputValue(), "");
  await page.getByRole("button", { name: "Fill in the example" }).click();
  await page.locator(".result").waitFor();

  await page.goto(`${url}#vector=schema-diff/assertions/sd-assert-0001`);
  await page.getByRole("heading", { name: "sd-assert-0001: passed" }).waitFor();
  await page.getByRole("link", { name: "Open the input in the tool JSON Schemas" }).click();
  await page.getByRole("heading", { name: /^✗? ?Breaking/ }).waitFor();
  assert.equal(await field(page, "Schema after").inputValue(), '{"type": "string"}');
  assert.equal(await page.getByText("Change this and look:").count(), 0);
  await page.goto(url);
}
