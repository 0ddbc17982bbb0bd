import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import {
  CallbackManager,
  CallbackManagerForLLMRun,
  CallbackManagerForToolRun,
} from "@langchain/core/callbacks/manager";
import { checkArgument, RECORDER } from "../check-argument.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { asObject } from "./as-object.ts";
import { CallJournal, type CallStart } from "./call-journal.ts";
import type { Attributes, OpenCall } from "./open-call.ts";
import { OpenCalls } from "./open-calls.ts";
import { parsedArguments } from "./parsed-arguments.ts";
import type { RecordingOptions } from "./recording-options.ts";
import { requireHooks } from "./require-hooks.ts";

export type { Content, RecordingOptions, TurnLink } from "./recording-options.ts";

const CORE = "@langchain/core";
/** Errors that pause a graph: the call has not failed, but starts again when the run is resumed. */
const PAUSES: readonly string[] = ["GraphInterrupt", "NodeInterrupt"];

/**
 * Returns callbacks for LangChain and LangGraph that record each tool and model call, whether it is made by an agent, a
 * graph, or the program. The attempts that a model makes within one call are not visible to callbacks.
 *
 * In mode `before`, a call whose start cannot be recorded is not made: it fails with {@link RecorderError} `lost` or
 * `closed`.
 *
 * @throws {@link RecorderError} `unsupported` if the installed `@langchain/core` does not report calls to its
 * callbacks.
 * @example
 * ```ts
 * import { recordingCallbacks } from "@agentprint/recorder/langchain";
 * import { createAgent, fakeModel } from "langchain";
 *
 * const agent = createAgent({ model: fakeModel().respondWithTools([]), tools: [] });
 * const recorded = agent.withConfig({ callbacks: [recordingCallbacks(recorder)] });
 * ```
 */
export function recordingCallbacks(recorder: Recorder, options?: RecordingOptions): BaseCallbackHandler {
  checkArgument("recorder", recorder, RECORDER);
  checkArgument("options", options, "object?");
  requireHooks(CORE, CallbackManager.prototype, ["handleChatModelStart", "handleLLMStart", "handleToolStart"]);
  requireHooks(CORE, CallbackManagerForLLMRun.prototype, ["handleLLMEnd", "handleLLMError"]);
  requireHooks(CORE, CallbackManagerForToolRun.prototype, ["handleToolEnd", "handleToolError"]);
  return new RecordingCallbacks(recorder, options);
}

class RecordingCallbacks extends BaseCallbackHandler {
  override readonly name = "agentprint-recorder";
  /** A call waits until its start is recorded, and is not made if the recorder refuses. */
  override awaitHandlers = true;
  override raiseError = true;
  readonly #journal: CallJournal;
  readonly #calls = new OpenCalls();

  constructor(recorder: Recorder, options: RecordingOptions | undefined) {
    super();
    this.#journal = new CallJournal(recorder, options);
  }

  override handleChatModelStart(
    ...[, messages, runId, , extra, , metadata]: Parameters<NonNullable<BaseCallbackHandler["handleChatModelStart"]>>
  ): Promise<void> {
    return this.#startModel(messages[0], runId, extra, metadata);
  }

  override handleLLMStart(
    ...[, prompts, runId, , extra, , metadata]: Parameters<NonNullable<BaseCallbackHandler["handleLLMStart"]>>
  ): Promise<void> {
    return this.#startModel(prompts, runId, extra, metadata);
  }

  override handleLLMEnd(...[output, runId]: Parameters<NonNullable<BaseCallbackHandler["handleLLMEnd"]>>): void {
    const [answer] = output.generations[0] ?? [];
    const { message, text } = asObject(answer);
    this.#calls.first(runId)?.returned(message ?? text, attributesOf(message));
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#calls.first(runId)?.threw(error);
  }

  override handleToolStart(
    ...[tool, input, runId, parentId, , metadata, name, call]: Parameters<
      NonNullable<BaseCallbackHandler["handleToolStart"]>
    >
  ): Promise<void> {
    return this.#start(runId, {
      kind: "call",
      call,
      tool: name ?? tool.id?.at(-1),
      values: { arguments: parsedArguments(input) },
      attributes: { "langchain.parent_run_id": parentId, ...idsOf(runId, metadata) },
    });
  }

  override handleToolEnd(output: unknown, runId: string): void {
    const { content, status, tool_call_id: id } = asObject(output);
    // The message for the model contains more than the tool's result.
    const isMessage = id !== undefined && content !== undefined;
    this.#calls.first(runId)?.returned(isMessage ? content : output, {}, isMessage && status === "error");
  }

  override handleToolError(error: unknown, runId: string): void {
    const isPaused = error instanceof Error && PAUSES.includes(error.name);
    this.#calls.first(runId)?.threw(error, isPaused);
  }

  #startModel(messages: unknown, runId: string, extra: unknown, metadata: unknown): Promise<void> {
    const { invocation_params: params } = asObject(extra);
    const { ls_model_name: model, ls_provider: provider } = asObject(metadata);
    return this.#start(runId, {
      kind: "model-call",
      values: { messages, tools: asObject(params)["tools"] },
      attributes: { "gen_ai.provider.name": provider, "gen_ai.request.model": model, ...idsOf(runId, metadata) },
    });
  }

  async #start(runId: string, start: CallStart): Promise<void> {
    const call: OpenCall = await this.#journal.begin(start);
    this.#calls.add(runId, call);
  }
}

function idsOf(runId: string, metadata: unknown): Attributes {
  return {
    "langchain.run_id": runId,
    "langgraph.thread_id": asObject(metadata)["thread_id"],
  };
}

function attributesOf(message: unknown): Attributes {
  const { id, usage_metadata: usage } = asObject(message);
  const { input_tokens: input, output_tokens: output } = asObject(usage);
  return { "gen_ai.response.id": id, "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output };
}
