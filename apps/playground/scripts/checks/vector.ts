import assert from "node:assert/strict";
import { listSuites, loadSuite } from "@agentprint/golden-vectors";
import type { Page } from "playwright-core";
import { NODE_ONLY } from "../../build/vectors-plugin.ts";
import { field, openTool, resultOf, runTool } from "../tool-page.ts";

const ID = "Id of a vector, or name of a suite";

const SUITES = listSuites().filter((name) => !NODE_ONLY.has(name));
/** All suites except the one with values of a million levels, which takes as long as all the others together. */
const QUICK_SUITES = SUITES.filter((name) => name !== "canonical-json/deep-and-wide");

/** A vector is shown by its id, and the vectors of every suite give the same results as in Node. */
export async function checkVectors(page: Page, suites: readonly string[] = QUICK_SUITES): Promise<void> {
  await openTool(page, "Golden vectors");
  await page.locator("datalist option").first().waitFor({ state: "attached" });
  await field(page, ID).fill("no-such-vector-1");
  await page.locator("form button.main").click();
  await page.getByRole("alert").getByText("No vector has this id").waitFor();
  let vectors = 0;
  for (const name of suites) {
    const { cases } = loadSuite(name);
    const counted = cases.filter(({ withdrawn }) => withdrawn === undefined).length;
    await runTool(page, { [ID]: name });
    await page.locator(".result code", { hasText: name }).first().waitFor();
    assert.match(await resultOf(page), new RegExp(`^✓? ?${counted} passed, 0 failed`), name);
    vectors += counted;
  }
  await runTool(page, { [ID]: "tr-hash-0001" });
  assert.match(await resultOf(page), /tr-hash-0001: passed/);
  console.log(`${vectors} golden vectors passed in the page`);
}
