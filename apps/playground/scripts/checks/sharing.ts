import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { field, openTool, resultOf, runTool } from "../tool-page.ts";

const FIRST = "JSON document";
const LINK = "Link to this tool with its fields";

/**
 * A link opens a tool with its fields; an oversized state becomes a file; malformed input is refused and changes
 * nothing.
 */
export async function checkSharing(page: Page, url: string): Promise<void> {
  await openTool(page, "Canonical JSON");
  const text = '["\u202egnp.", "<b>é</b>"]';
  await field(page, FIRST).fill(text);
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await field(page, LINK).inputValue();
  assert.equal(page.url(), link);
  assert.ok(link.startsWith(`${url}#canonical=`), link);
  const other = await page.context().newPage();
  await other.goto(link);
  assert.equal(await field(other, FIRST).inputValue(), text);
  await other.goto(`${url}#text=${Buffer.from('{"first":"1","__proto__":{}}').toString("base64url")}`);
  await other.getByRole("alert").getByText("received __proto__ malformed or unknown").waitFor();
  assert.equal(await field(other, FIRST).inputValue(), text);
  await other.close();

  const long = `["${"long ".repeat(10_000)}"]`;
  await field(page, FIRST).fill(long);
  await page.getByRole("button", { name: "Make a link" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the fields as a file" }).click();
  const saved = await (await saving).path();
  assert.deepEqual(JSON.parse(await readFile(saved, "utf8")).tool, "canonical");
  await openTool(page, "Texts");
  await page.getByLabel("Open a saved file").setInputFiles(saved);
  await page.getByRole("heading", { level: 1, name: "Canonical JSON" }).waitFor();
  assert.equal(await field(page, FIRST).inputValue(), long);
  await page.getByLabel("Open a saved file").setInputFiles({ name: "x", mimeType: "", buffer: Buffer.from("[") });
  await page.getByRole("alert").getByText("line 1").waitFor();
  await page.getByRole("link", { name: "Texts", exact: true }).click();
  await runTool(page, { Text: "a" });
  assert.match(await resultOf(page), /bytes/);
}
