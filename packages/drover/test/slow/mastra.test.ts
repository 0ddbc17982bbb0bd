import { Mastra } from "@mastra/core";
import type { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { LocalFilesystem, Workspace } from "@mastra/core/workspace";
import { expect, test } from "vitest";
import { z } from "zod";
import { approve, startRun } from "../../examples/mastra-approval.ts";
import { deleteFile, editorOf, keeper } from "./support/mastra-agents.ts";

/** Starts a program with a published version of the agent, on a storage that outlives the program. */
function startProgram(storage: InMemoryStore, published: Agent): Mastra {
  return new Mastra({ agents: { keeper: keeper() }, storage, editor: editorOf(() => published), logger: false });
}

/** A version of the agent that says which version deleted a file. */
function version(name: string, deletedBy: string[], inputSchema = z.object({ path: z.string() })): Agent {
  const execute = async () => `deleted ${deletedBy.push(name)}`;
  return keeper({ tools: { delete_file: deleteFile({ inputSchema, execute }) } });
}

const wide = z.object({ path: z.string(), recursive: z.boolean().default(true) });

test("Mastra itself lets a newly published version run the call that was approved for the version before", async () => {
  const deletedBy: string[] = [];
  const storage = new InMemoryStore();
  const { runId } = await startRun(startProgram(storage, version("v1", deletedBy)), "keeper", "Tidy up.");

  const mastra = startProgram(storage, version("v2", deletedBy, wide));
  const agent = await mastra.getAgentById("keeper", { status: "published" });
  await (await agent.approveToolCall({ runId, toolCallId: "call_1" })).text;
  expect(deletedBy).toEqual(["v2"]);
});

test("a run resumes after a restart under the version that started it", async () => {
  const deletedBy: string[] = [];
  const storage = new InMemoryStore();
  const waiting = await startRun(startProgram(storage, version("v1", deletedBy)), "keeper", "Tidy up.");
  expect(await approve(startProgram(storage, version("v1", deletedBy)), "keeper", waiting)).toBe("Done.");
  expect(deletedBy).toEqual(["v1"]);
});

test("a newly published version is refused with the JSON Pointers of what changed, and runs nothing", async () => {
  const deletedBy: string[] = [];
  const storage = new InMemoryStore();
  const waiting = await startRun(startProgram(storage, version("v1", deletedBy)), "keeper", "Tidy up.");

  await expect(approve(startProgram(storage, version("v2", deletedBy, wide)), "keeper", waiting)).rejects.toMatchObject(
    {
      name: "ResumeError",
      code: "spec-drift",
      fields: ["tools"],
      pointers: expect.arrayContaining(["/tools/delete_file/inputSchema/~0standard/input/properties/recursive"]),
    },
  );
  expect(deletedBy).toEqual([]);
});

test("an agent that lost its hooks and got a workspace on / while its run waited is refused, and runs nothing", async () => {
  const deletedBy: string[] = [];
  const storage = new InMemoryStore();
  const guarded = keeper({ hooks: { beforeToolCall: () => ({ proceed: false }) } });
  const waiting = await startRun(startProgram(storage, guarded), "keeper", "Tidy up.");

  const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath: "/" }) });
  const execute = async () => `deleted ${deletedBy.push("open")}`;
  const open = keeper({ workspace, tools: { delete_file: deleteFile({ execute }) } });
  await expect(approve(startProgram(storage, open), "keeper", waiting)).rejects.toMatchObject({
    code: "spec-drift",
    pointers: expect.arrayContaining(["/model/agent/hooks", "/model/agent/workspace"]),
  });
  expect(deletedBy).toEqual([]);
});
