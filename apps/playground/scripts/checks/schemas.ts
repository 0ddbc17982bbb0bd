import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { field, openTool, resultOf, runTool } from "../tool-page.ts";

const BEFORE = "Schema before";
const AFTER = "Schema after";

/** Verdicts and values appear in both directions, even where a value has to be confirmed. */
export async function checkSchemas(page: Page): Promise<void> {
  await openTool(page, "JSON Schemas");
  const schema = { type: "object", properties: { path: { type: "string" }, "\u202edetpircs": {} } };
  await runTool(page, { [BEFORE]: JSON.stringify(schema), [AFTER]: JSON.stringify({ ...schema, required: ["path"] }) });
  assert.match(await resultOf(page), /Breaking.*rejected by the later schema:\s+\{\}.*required-added/s);
  await field(page, "What the schema is for").selectOption("output");
  await runTool(page, {});
  assert.match(await resultOf(page), /Compatible/);
  await field(page, "What the schema is for").selectOption("input");
  await runTool(page, { [AFTER]: '{"type":"object","$ref":"https://example.com/schema"}' });
  assert.match(await resultOf(page), /Unknown|Breaking/);
  await runTool(page, { [AFTER]: `${'{"not":'.repeat(5000)}{}${"}".repeat(5000)}` });
  assert.match(await resultOf(page), /schema-too-deep/);
  await runTool(page, { [AFTER]: JSON.stringify({ ...schema, required: ["path"] }) });
}
