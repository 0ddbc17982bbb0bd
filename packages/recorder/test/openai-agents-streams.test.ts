import { Agent, type Model, setTraceProcessors } from "@openai/agents";
import { ScriptedModel } from "@openai/agents/testing";
import { expect, test } from "vitest";
import { recordingRunner } from "../src/adapters/openai-agents.ts";
import { eventsOf, outlineOf } from "./entries-support.ts";
import { done, never } from "./openai-models.ts";

setTraceProcessors([]);

test.each<[what: string, recorded: readonly string[]]>([
  ["is read", ["ok"]],
  ["breaks", ["error"]],
  ["is left", ["cancelled"]],
  ["is aborted", ["cancelled"]],
])("an answer in parts that %s has one end", async (what, outcomes) => {
  const events = await eventsOf(async (recorder) => {
    const abort = new AbortController();
    const agent = new Agent({ name: "a", model: inParts(what, abort) });
    const result = await recordingRunner(recorder).run(agent, "Go", { stream: true, signal: abort.signal });
    const reading = (async () => {
      for await (const { type } of result) if (what === "is left" && type === "raw_model_stream_event") break;
    })();
    if (what === "breaks") await expect(reading).rejects.toThrow("half");
    else await reading;
    await result.completed.catch(() => {});
  });
  expect(outlineOf(events)).toEqual(["model-call", ...outcomes.map((outcome) => `model-result ${outcome}`)]);
  if (what === "is left") expect(events[1]?.reason).toBe("abandoned");
  if (what === "is read") {
    expect(events[1]).toMatchObject({
      digests: { result: expect.any(String) },
      attributes: { "gen_ai.response.id": "scripted-response-1" },
    });
  }
});

/** Returns a model that streams its answer and ends it in the way that `what` selects. */
function inParts(what: string, abort: AbortController): Model {
  const scripted = new ScriptedModel([done]);
  return {
    getResponse: never,
    async *getStreamedResponse(request) {
      yield { type: "output_text_delta", delta: "do" };
      if (what === "breaks") throw new RangeError("half");
      if (what === "is aborted") abort.abort();
      request.signal?.throwIfAborted();
      // The answer is so long that a reader that stops early cannot have read all of it.
      for (let part = 0; part < 200; part++) {
        yield { type: "output_text_delta", delta: "ne" };
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield* scripted.getStreamedResponse(request);
    },
  };
}
