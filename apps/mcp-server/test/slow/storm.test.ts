import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { killServices } from "@agentprint/testing/service-process";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Tokens } from "../../src/access/tokens.ts";
import { startProcess } from "../support/processes.ts";
import { appendAtOnce, checkWhole, killRounds } from "../support/storm.ts";

let folder = "";
let postgres: PostgresServer;
let trails = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-server-slow-"));
  postgres = await startPostgres({ durable: true });
});
afterEach(killServices);
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

describe.each(["SQLite", "PostgreSQL"])("on %s", (dialect) => {
  const newTrail = async (): Promise<string> => {
    const name = `storm_${trails++}`;
    return dialect === "SQLite" ? `file:${join(folder, `${name}.db`)}` : postgres.createDatabase(name);
  };

  test("50 clients that append to one task over two servers make one intact chain", async () => {
    const trail = await newTrail();
    const servers = await Promise.all([startProcess(trail), startProcess(trail)]);
    const answered = await appendAtOnce(
      servers.map(({ url }) => url),
      50,
      4,
    );
    for (const server of servers) expect(await server.end()).toBe(0);
    expect(await checkWhole(trail, answered)).toBe(200);
  });

  test("tokens are kept next to the trail, and a revoked one is refused", async () => {
    const store = await openTrailStore(await newTrail());
    const tokens = new Tokens(store);
    const { id, token } = await tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date());
    expect(await new Tokens(store).find(token)).toEqual({ id, agentId: undefined, tasks: ["*"] });
    await tokens.revoke(id, new Date());
    expect(await new Tokens(store).find(token)).toBeUndefined();
    expect(await tokens.list()).toMatchObject([{ id, revoked_at: expect.stringContaining("T") }]);
    await store.close();
  });

  test("killed servers lose nothing that they acknowledged", async () => {
    const trail = await newTrail();
    const answered = await killRounds(trail, 2, 8);
    expect(answered.length).toBeGreaterThanOrEqual(8);
    expect(await checkWhole(trail, answered)).toBeGreaterThanOrEqual(answered.length);
  });
});
