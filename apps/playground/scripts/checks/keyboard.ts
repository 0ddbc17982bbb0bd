/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Goes from the top of the page to a digest with the keyboard alone; the focus is visible at every step. */
export async function checkKeyboard(page: Page): Promise<void> {
  const tabTo = async (text: string): Promise<void> => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      const seen = await page.evaluate(() => {
        const focused = document.activeElement as HTMLInputElement;
        const shown = focused.type === "file" ? focused.previousElementSibling : focused;
        const label = focused.labels?.[0] ?? focused;
        return { text: (label.textContent ?? "").trim(), outline: getComputedStyle(shown ?? focused).outlineStyle };
      });
      assert.equal(seen.outline, "solid", `the focus on ${seen.text} is visible`);
      if (seen.text === text) return;
    }
    throw new Error(`the keyboard does not reach ${text}`);
  };
  await tabTo("Skip to the tool");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  await tabTo("Empty the fields");
  await page.keyboard.press("Enter");
  await page.locator(".result").waitFor({ state: "detached" });
  await tabTo("JSON document");
  await page.keyboard.type('{"b":1,"a":2}');
  await tabTo("Canonicalize");
  await page.keyboard.press("Enter");
  await page.getByText('{"a":2,"b":1}', { exact: true }).waitFor();
}
