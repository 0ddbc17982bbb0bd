/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";

/** Opens a tool by its tab. */
export async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.locator("form").waitFor();
}

/** Fills fields by their labels, and presses the tool's button. */
export async function runTool(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
  await pressRun(page);
}

/** Presses the tool's button, and waits until the tool has finished. */
export async function pressRun(page: Page): Promise<void> {
  await page.locator("form button.main").click();
  await page.locator("progress").waitFor({ state: "detached" });
  await page.locator(".result, .status .note").first().waitFor();
}

/** Returns a field by its label. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

/** Returns the text that the tool shows. */
export async function resultOf(page: Page): Promise<string> {
  return (await page.locator(".result, .status .note").allInnerTexts()).join("\n");
}
