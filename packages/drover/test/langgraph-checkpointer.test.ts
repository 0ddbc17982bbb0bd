import { ResumeError, type SpecWarning } from "@agentprint/drover";
import { guardCheckpointer } from "@agentprint/drover/langgraph";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { type BaseCheckpointSaver, Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createGraph, type Definition } from "../examples/langgraph-checkpointer.ts";

const thread = { configurable: { thread_id: "thread_1" } };

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** A store with a thread that waits for an approval. */
async function interrupted(definition?: Definition): Promise<MemorySaver> {
  const saver = new MemorySaver();
  await createGraph(saver, definition).invoke({ path: "a.txt" }, thread);
  return saver;
}

describe("a guarded checkpointer", () => {
  test("lets a thread continue with the graph that interrupted it", async () => {
    const saver = await interrupted();
    const graph = createGraph(saver);
    expect((await graph.getState(thread)).next).toEqual(["approve"]);
    expect(await graph.invoke(new Command({ resume: true }), thread)).toMatchObject({ outcome: "deleted a.txt" });
  });

  test.each<[what: string, definition: Definition, field: string]>([
    ["another graph", { withReview: true }, "subagents"],
    ["a tool with another schema", { path: z.string().max(9) }, "tools"],
    ["another prompt", { systemPrompt: "Delete what you like." }, "systemPrompt"],
  ])("refuses %s", async (_what, definition, field) => {
    const saver = await interrupted();
    const before = await saver.getTuple(thread);
    const graph = createGraph(saver, definition);
    const refused = { name: "ResumeError", code: "spec-drift", runId: "thread_1", fields: [field] };
    await expect(graph.invoke(new Command({ resume: true }), thread)).rejects.toMatchObject(refused);
    await expect(graph.invoke({ path: "b.txt" }, thread)).rejects.toBeInstanceOf(ResumeError);
    await expect(graph.stream(null, thread).then((stream) => all(stream))).rejects.toMatchObject(refused);
    await expect(graph.updateState(thread, { path: "b.txt" })).rejects.toMatchObject(refused);
    await expect(graph.getState(thread)).rejects.toMatchObject(refused);
    expect(await saver.getTuple(thread)).toEqual(before);
  });

  test("refuses a fork from an old checkpoint under another graph", async () => {
    const saver = await interrupted();
    const [newest] = await all(saver.list(thread));
    const graph = createGraph(saver, { withReview: true });
    await expect(graph.invoke(null, newest?.config)).rejects.toMatchObject({ code: "spec-drift" });
  });

  test("allows a resume with changed state", async () => {
    const graph = createGraph(await interrupted());
    await graph.updateState(thread, { path: "b.txt" });
    expect(await graph.invoke(new Command({ resume: true }), thread)).toMatchObject({ outcome: "deleted b.txt" });
  });

  test("allows a new thread to start with the values of a refused one", async () => {
    const saver = await interrupted();
    const old = await saver.getTuple(thread);
    const graph = createGraph(saver, { withReview: true });
    const next = { configurable: { thread_id: "thread_2" } };
    await graph.invoke({ path: String(old?.checkpoint.channel_values["path"]) }, next);
    expect(await graph.invoke(new Command({ resume: true }), next)).toMatchObject({ outcome: "deleted a.txt" });
    await expect(graph.getState(thread)).rejects.toMatchObject({ code: "spec-drift" });
  });

  test("refuses a thread that was written without it", async () => {
    const saver = await interrupted();
    const bare = new MemorySaver();
    for await (const { config, checkpoint, metadata } of saver.list(thread)) {
      const { agentprint: _, ...others } = metadata as { agentprint?: unknown } & NonNullable<typeof metadata>;
      await bare.put({ configurable: { ...config.configurable } }, checkpoint, others as NonNullable<typeof metadata>);
    }
    await expect(createGraph(bare).getState(thread)).rejects.toMatchObject({
      code: "fingerprint-not-found",
      message: 'cannot tell whether agent "keeper" drifted: run thread_1 has no recorded spec fingerprint',
    });
  });

  test("changes nothing else in the checkpointer", async () => {
    const saver = await interrupted();
    const spec = { id: "keeper", systemPrompt: "Other." };
    const guarded = guardCheckpointer(saver, () => spec);
    expect(guarded).toBeInstanceOf(MemorySaver);
    expect(await all(guarded.list(thread))).toEqual(await all(saver.list(thread)));
    await expect(guarded.get(thread)).rejects.toMatchObject({ code: "spec-drift" });
    expect(await guarded.get({ configurable: { thread_id: "none" } })).toBeUndefined();
    await guarded.deleteThread("thread_1");
    expect(await guarded.getTuple(thread)).toBeUndefined();
  });

  test("preserves a class's private members", async () => {
    class Counting extends MemorySaver {
      #loaded = 0;
      override async getTuple(...args: Parameters<MemorySaver["getTuple"]>) {
        this.#loaded++;
        return super.getTuple(...args);
      }
      loaded(): number {
        return this.#loaded;
      }
    }
    const guarded = guardCheckpointer(new Counting(), () => ({ id: "keeper", systemPrompt: "Write." }));
    await guarded.getTuple(thread);
    expect(guarded.loaded()).toBe(1);
  });
});

describe("an agent of createAgent", () => {
  const reported: (readonly SpecWarning[])[] = [];

  /** The call's configuration is part of the spec. */
  function createWriter(saver: BaseCheckpointSaver) {
    const read = tool(async () => "content", { name: "read", description: "Reads.", schema: z.object({}) });
    return createAgent({
      model: new FakeListChatModel({ responses: ["Hello."] }),
      tools: [read],
      checkpointer: guardCheckpointer(
        saver,
        ({ configurable }) => ({
          id: "writer",
          systemPrompt: "Write.",
          model: configurable?.["model"],
          skills: ["essay"],
        }),
        { onWarnings: (warnings) => reported.push(warnings) },
      ),
    });
  }

  test("continues only with its thread's model, and names what may have changed unnoticed", async () => {
    const saver = new MemorySaver();
    const ask = (model: string) =>
      createWriter(saver).invoke(
        { messages: [{ role: "user", content: "Hi." }] },
        { configurable: { ...thread.configurable, model } },
      );
    await ask("large");
    expect(reported).toEqual([]);
    expect((await ask("large")).messages).toHaveLength(4);
    expect(reported[0]?.map(({ code }) => code)).toEqual(["skills-by-name"]);
    await expect(ask("small")).rejects.toMatchObject({ code: "spec-drift", fields: ["model"] });
  });
});
