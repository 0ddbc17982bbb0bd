import assert from "node:assert/strict";
import { computeTextHash, NORMALIZATION_LEVELS } from "@agentprint/content-hash";
import type { Page } from "playwright-core";
import { openTool, resultOf, runTool } from "../tool-page.ts";

const FIRST = "Text";
const SECOND = "Another text to compare with (optional)";

/** The digests equal Node's at every level, and a comparison names the level from which two texts are equal. */
export async function checkText(page: Page): Promise<void> {
  await openTool(page, "Texts");
  const text = "one  \n\ttwo é \u{1f600}\n\n";
  await runTool(page, { [FIRST]: text, [SECOND]: "" });
  const result = await resultOf(page);
  for (const level of NORMALIZATION_LEVELS) assert.ok(result.includes(computeTextHash(text, level)), level);
  await runTool(page, { [SECOND]: "one\n\ttwo é \u{1f600}" });
  const compared = await page.locator(".result li").allInnerTexts();
  const equal = compared.map((one) => /Equal at this level/.test(one));
  assert.deepEqual(equal, [false, false, true, true, false]);
}
