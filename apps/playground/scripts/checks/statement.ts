import assert from "node:assert/strict";
import { lockServer } from "@agentprint/mcp-lock";
import { signStatement } from "@agentprint/statement";
import { answersOf } from "@agentprint/testing/lock/offer";
import { author, other, statementOf } from "@agentprint/testing/statement/author";
import type { Page } from "playwright-core";
import { field, openTool, resultOf, runTool } from "../tool-page.ts";

const STATEMENT = "Statement (DSSE envelope)";
const KEYS = "Public keys that may sign for the server";
const SERVED = "Lock of the release (optional)";
const SERVER = "Server in the locks";
const AT = "Time of the check (empty: now)";

const HOSTILE = '<img src=x onerror="document.title=1">\u202e';

/** The example is proven part by part; each edit to it is refuted; a signature alone proves the least. */
export async function checkStatement(page: Page): Promise<void> {
  await openTool(page, "Statements");
  await page.locator(".result").waitFor();
  assert.match(await resultOf(page), /has the stated hash.*no larger than stated.*No statement proves/s);
  await runTool(page, { [AT]: "2027-02-01T00:00:00Z" });
  assert.match(await resultOf(page), /does not hold.*not valid at the time.*statement\/expired/s);
  const envelope = await field(page, STATEMENT).inputValue();
  await runTool(page, { [AT]: "", [STATEMENT]: envelope.replace("eyJf", "eyJg") });
  assert.match(await resultOf(page), /nothing in it was read.*statement\/invalid-signature/s);
  await runTool(page, { [SERVED]: "{}" });
  assert.match(await resultOf(page), /invalid-lock/);

  await page.getByRole("button", { name: "Empty the fields" }).click();
  const entry = lockServer(HOSTILE, answersOf([]));
  const signed = { [STATEMENT]: signStatement(statementOf(entry, "1.0.0"), author), [SERVER]: "" };
  await runTool(page, { ...signed, [KEYS]: other.publicKey });
  assert.match(await resultOf(page), /statement\/wrong-key/);
  await runTool(page, { [KEYS]: author.publicKey });
  const alone = await resultOf(page);
  assert.match(alone, /not all of it was proven.*were not compared: give the lock/s);
  assert.ok(alone.includes('<img src=x onerror="document.title=1">'));
}
