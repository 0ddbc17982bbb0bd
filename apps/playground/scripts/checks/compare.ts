import assert from "node:assert/strict";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import type { Page } from "playwright-core";
import { openTool, resultOf, runTool } from "../tool-page.ts";

const BEFORE = "Manifest or lock before";
const AFTER = "Manifest or lock after";

const HOSTILE = "</bdi><script>document.title='owned'</script>\u202egnp.";

/**
 * The page reports on manifests and locks as the command does, with counterexamples; a file of another kind is refused.
 */
export async function checkCompare(page: Page): Promise<void> {
  await openTool(page, "Manifests and locks");
  const tool = toolOf("send", { permission_scope: "notification:send" });
  const required = { ...tool, input_schema: { ...tool.input_schema, required: ["path"] } };
  await runTool(page, {
    [BEFORE]: JSON.stringify(manifestOf()),
    [AFTER]: JSON.stringify(manifestOf({ tools: [toolOf("read_file"), required] })),
  });
  const manifests = await resultOf(page);
  assert.match(manifests, /Something changed.*1 breaking.*manifest\/input_schema_changed.*no longer valid: \{\}/s);

  const item = (inputSchema: object) => ({ name: "search", description: HOSTILE, inputSchema });
  const schema = { type: "object", properties: { q: { type: "string" } } };
  const lockOf = (servers: Record<string, object>): string =>
    formatLock(
      createLock(
        Object.fromEntries(Object.entries(servers).map(([name, one]) => [name, answersOf([item(one)] as never)])),
      ),
    );
  const before = lockOf({ files: schema, gone: schema });
  await runTool(page, { [BEFORE]: before, [AFTER]: lockOf({ files: { ...schema, required: ["q"] } }) });
  const locks = await resultOf(page);
  assert.match(locks, /files drifted.*only the earlier lock has: ?gone.*Breaking: arguments \{\} were valid/s);
  assert.notEqual(await page.title(), "owned");

  await runTool(page, { [AFTER]: JSON.stringify(manifestOf()) });
  assert.match(await resultOf(page), /two-kinds/);
  await runTool(page, { [BEFORE]: "{}" });
  assert.match(await resultOf(page), /before is not a manifest: .*invalid-manifest/s);
  await runTool(page, { [BEFORE]: before, [AFTER]: before.replace('"search"', '"research"') });
  assert.match(await resultOf(page), /digest-mismatch/);
  await runTool(page, { [AFTER]: lockOf({ files: { ...schema, required: ["q"] } }) });
}
