import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ofSize } from "@agentprint/testing/manifest/scoped-manifests";
import { canRun, outputOf, runProgram } from "@agentprint/testing/programs";
import { environmentOf, startProcess } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { backupDatabase, restoreDatabase } from "../../src/backup/backup.ts";
import { loadConfig } from "../../src/config/config.ts";
import { seed } from "../support/seed.ts";

let disk = "";
let isSmall = false;
beforeAll(() => {
  disk = mkdtempSync(join(tmpdir(), "registry-disk-"));
  isSmall = canRun("mount", ["-t", "tmpfs", "-o", "size=2m", "registry", disk]);
});
afterEach(killServices);
afterAll(() => {
  if (isSmall) runProgram("umount", [disk]);
  rmSync(disk, { recursive: true });
});

test("a registry on a full disk reports that, answers that nothing was stored, and continues once there is room", async (context) => {
  if (!isSmall) return context.skip("a small disk cannot be mounted here");
  const database = `file:${join(disk, "registry.db")}`;
  const token = await seed(database, "demo", 1);
  const registry = await startProcess({ database });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const publish = async (nth: number): Promise<{ status: number; detail?: string }> => {
    const body = JSON.stringify({ ...ofSize(60_000 + nth), agent_version: `1.0.${nth}` });
    const response = await fetch(`${registry.url}/agents/demo`, { method: "PATCH", headers, body });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const ready = async (): Promise<string> => (await fetch(`${registry.url}/readyz`)).text();
  expect(await ready()).toBe("ok\n");
  let answer = await publish(0);
  let accepted = 1;
  for (; answer.status === 200; answer = await publish(++accepted));
  expect(answer).toMatchObject({ status: 503, detail: expect.stringMatching(/disk .* full; nothing was stored$/) });
  await expect.poll(ready).toMatch(/^ok\ndisk: changes are refused and nothing is stored: the disk is full/);
  expect((await fetch(`${registry.url}/agents/demo/versions/${accepted + 2}`)).status).toBe(404);
  outputOf("mount", ["-o", "remount,size=32m", disk]);
  await expect.poll(ready).toBe("ok\n");
  expect((await publish(1)).status).toBe(200);
  expect(await registry.end()).toBe(0);
});

test("a backup is restored with the signer key alone, and a missing one is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "registry-key-"));
  const configOf = (name: string) => loadConfig(environmentOf({ database: `file:${join(folder, name)}` }));
  await seed(`file:${join(folder, "registry.db")}`, "demo", 2);
  const registry = await startProcess({
    database: `file:${join(folder, "registry.db")}`,
    checkpoint_interval_seconds: "1",
  });
  await expect.poll(async () => (await fetch(`${registry.url}/agents/demo/checkpoint`)).status).toBe(200);
  await registry.end();
  const copy = join(folder, "copy.db");
  await backupDatabase(configOf("registry.db"), copy);
  const restored = configOf("restored.db");
  const key = join(folder, "restored.db.signer-key");
  const restoring = () => restoreDatabase(restored, copy, new Date());
  await expect(restoring()).rejects.toMatchObject({
    code: "BACKUP_FAILED",
    message: expect.stringMatching(/^there is no signer key at .*restored\.db\.signer-key: first copy .*signer-key/),
  });
  expect([existsSync(key), existsSync(join(folder, "restored.db"))]).toEqual([false, false]);
  await seed(`file:${join(folder, "other.db")}`, "demo", 1);
  const other = await startProcess({ database: `file:${join(folder, "other.db")}` });
  await other.end();
  copyFileSync(join(folder, "other.db.signer-key"), key);
  await expect(restoring()).rejects.toMatchObject({
    message: expect.stringMatching(/^the signer key is not .*: first copy/),
  });
  rmSync(key);
  copyFileSync(join(folder, "registry.db.signer-key"), key);
  expect(await restoring()).toMatchObject({ chains: 2 });
  rmSync(folder, { recursive: true });
});
