import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { IS_ROOT } from "@agentprint/testing/other-accounts";
import { bundledPrograms, nativeFolder } from "@agentprint/testing/postgres-programs";
import { startPostgres } from "@agentprint/testing/postgres-server";
import pg from "pg";
import { expect, test } from "vitest";

async function answerOf(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query("select 1 as one")).rows;
  } finally {
    await client.end();
  }
}

test("a server runs for root from a folder that root alone may enter", async ({ skip }) => {
  skip(!IS_ROOT, "only root starts it for another account");
  const folder = mkdtempSync(join(tmpdir(), "of root "));
  symlinkSync(nativeFolder(), join(folder, "native"));
  const programs = bundledPrograms(join(folder, "native"));
  expect(programs.postgres).not.toContain("of root");
  const server = await startPostgres({ durable: false, programs });
  try {
    const url = await server.createDatabase("a b");
    expect(await answerOf(url)).toEqual([{ one: 1 }]);
    await server.restart();
    expect(await answerOf(url)).toEqual([{ one: 1 }]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
  expect(existsSync(dirname(programs.postgres))).toBe(false);
});

test("a server that cannot be started says why at once", async () => {
  const programs = { ...bundledPrograms(), remove: () => {} };
  await expect(startPostgres({ durable: false, programs: { ...programs, initdb: "no-initdb" } })).rejects.toThrow(
    "cannot run no-initdb",
  );
  const unstarted = { ...programs, initdb: "true", postgres: "/no/postgres" };
  await expect(startPostgres({ durable: false, programs: unstarted })).rejects.toThrow("cannot run /no/postgres");
  expect(() => bundledPrograms("/no/folder")).toThrow(/ENOENT/);
});
