import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, onTestFinished, test } from "vitest";
import { Tokens } from "../src/access/tokens.ts";

test("the cache keeps no more tokens than requested, and looks up the others again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-server-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const trail = await openTrailStore(`file:${join(folder, "trail.db")}`);
  const tokens = new Tokens(trail, 60_000, 1);
  const grant = { agentId: undefined, tasks: ["*"] };
  const [first, second] = [await tokens.issue(grant, new Date()), await tokens.issue(grant, new Date())];
  await tokens.find(first.token);
  await tokens.revoke(first.id, new Date());
  expect(await tokens.find(first.token)).toMatchObject({ id: first.id });
  expect(await tokens.find(second.token)).toMatchObject({ id: second.id });
  expect(await tokens.find(first.token)).toBeUndefined();
  await trail.close();
});
