import type { AgentSpec } from "@agentprint/drover";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { APPROVAL, registerKeeper } from "../../examples/dbos-approval.ts";

let server: PostgresServer;
let systemDatabaseUrl = "";
beforeAll(async () => {
  server = await startPostgres({ durable: false });
  systemDatabaseUrl = await server.createDatabase("dbos_sys");
});
afterAll(() => server.stop());

const spec: AgentSpec = {
  id: "keeper",
  systemPrompt: "Keep the folder tidy.",
  tools: [{ name: "delete_file", maxFiles: 1 }],
};
const edited: AgentSpec = { ...spec, tools: [{ name: "delete_file", maxFiles: 1000 }] };

const ignore = () => {};
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Runs one deployment of the program: DBOS recovers the state that the previous deployment left. */
async function deployed<Result>(
  current: AgentSpec,
  act: (keeper: (path: string) => Promise<string>, deleted: string[]) => Promise<Result>,
): Promise<Result> {
  const deleted: string[] = [];
  const keeper = registerKeeper(current, async (path) => `deleted ${deleted.push(path)}`);
  DBOS.setConfig({ name: "keeper", systemDatabaseUrl, applicationVersion: "1", logger: silent });
  await DBOS.launch();
  try {
    return await act(keeper, deleted);
  } finally {
    await DBOS.shutdown({ deregister: true });
  }
}

/** Starts a workflow and leaves it waiting. */
const startAndStop = (workflowID: string): Promise<unknown> =>
  deployed(spec, async (keeper) => {
    await DBOS.startWorkflow(keeper, { workflowID })("a.txt");
    const recorded = expect.objectContaining({ name: "agentprint.recordSpec" });
    await expect.poll(() => DBOS.listWorkflowSteps(workflowID)).toContainEqual(recorded);
  });

test("a recovered workflow continues with the agent that started it", async () => {
  await startAndStop("run_1");
  await deployed(spec, async (_keeper, deleted) => {
    await DBOS.send("run_1", true, APPROVAL);
    expect(await DBOS.retrieveWorkflow("run_1").getResult()).toBe("deleted 1");
    expect(deleted).toEqual(["a.txt"]);
  });
});

test("a recovered workflow under another agent is refused, and continues as a fork under its own", async () => {
  await startAndStop("run_2");
  await deployed(edited, async (_keeper, deleted) => {
    await DBOS.send("run_2", true, APPROVAL);
    await expect(DBOS.retrieveWorkflow("run_2").getResult()).rejects.toThrow(/Changed values: \/tools\/0\/maxFiles\./);
    expect(await DBOS.getWorkflowStatus("run_2")).toMatchObject({ status: "ERROR" });
    expect(deleted).toEqual([]);
  });
  await deployed(spec, async (_keeper, deleted) => {
    const fork = await DBOS.forkWorkflow<string>("run_2", 1, { newWorkflowID: "run_2b" });
    await DBOS.send("run_2b", true, APPROVAL);
    expect(await fork.getResult()).toBe("deleted 1");
    expect(deleted).toEqual(["a.txt"]);
  });
});

test("a fork keeps the record of its run: another agent is refused there, too", async () => {
  await startAndStop("run_3");
  await deployed(edited, async () => {
    const fork = await DBOS.forkWorkflow<string>("run_3", 1, { newWorkflowID: "run_3b" });
    await expect(fork.getResult()).rejects.toThrow(/^spec drift on agent "keeper"/);
  });
});
