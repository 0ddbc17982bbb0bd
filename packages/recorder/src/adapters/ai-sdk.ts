import { isObject } from "@agentprint/canonical-json/json-value";
import * as ai from "ai";
import { checkArgument, RECORDER } from "../check-argument.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { CallJournal, type CallStart } from "./call-journal.ts";
import { attributesOf, type ModelAnswer, readPart } from "./model-answer.ts";
import { observeStream } from "./observe-stream.ts";
import { OpenCalls } from "./open-calls.ts";
import type { RecordingOptions } from "./recording-options.ts";
import { requireHooks } from "./require-hooks.ts";

export type { Content, RecordingOptions, TurnLink } from "./recording-options.ts";

/** The members that are read from a model call's events. */
interface ModelEvent {
  readonly callId: string;
  readonly provider?: string;
  readonly modelId?: string;
  readonly instructions?: unknown;
  readonly messages?: unknown;
  readonly promptMessages?: unknown;
  readonly tools?: unknown;
}

/**
 * Returns AI SDK telemetry that records each tool call and each attempt of a model call in `generateText`, `streamText`
 * and agents, and, without separate retries, in `generateObject` and `streamObject`.
 *
 * In mode `before`, a call whose start cannot be recorded is not made: it fails with {@link RecorderError} `lost` or
 * `closed`.
 *
 * @throws {@link RecorderError} `unsupported` if the installed `ai` has no such telemetry.
 * @example
 * ```ts
 * import { recordingTelemetry } from "@agentprint/recorder/ai-sdk";
 * import { registerTelemetry } from "ai";
 *
 * registerTelemetry(recordingTelemetry(recorder));
 * ```
 */
export function recordingTelemetry(recorder: Recorder, options?: RecordingOptions): ai.Telemetry {
  checkArgument("recorder", recorder, RECORDER);
  checkArgument("options", options, "object?");
  requireHooks("ai", ai, ["registerTelemetry"]);
  const journal = new CallJournal(recorder, options);
  const tools = new OpenCalls();
  const models = new OpenCalls();
  return {
    async executeTool({ callId, toolCallId, toolCall, execute }) {
      const { toolName, input } = toolCall ?? {};
      const attributes = { "ai.call_id": callId };
      const values = { arguments: input };
      const call = await journal.begin({ kind: "call", call: toolCallId, tool: toolName, values, attributes });
      tools.add(`${callId} ${toolCallId}`, call);
      return execute();
    },
    onToolExecutionEnd({ callId, toolCall: { toolCallId }, toolOutput }) {
      const call = tools.first(`${callId} ${toolCallId}`);
      if (toolOutput.type === "tool-error") call?.threw(toolOutput.error);
      else call?.returned(toolOutput.output, {}, isErrorResult(toolOutput.output));
    },
    async executeLanguageModelCall({ execute, ...event }) {
      const call = await journal.begin(startOf(event));
      models.add(event.callId, call);
      try {
        const answer = await execute();
        const { stream, content, ...rest } = answer as ModelAnswer;
        if (stream === undefined) call.returned(content, attributesOf(rest));
        else {
          observeStream(stream, call, readPart);
          journal.watch(stream, call);
        }
        return answer;
      } catch (error) {
        call.threw(error);
        throw error;
      }
    },
    async onObjectStepStart(event) {
      models.add(event.callId, await journal.begin(startOf(event)));
    },
    onObjectStepEnd({ callId, objectText, ...rest }) {
      models.first(callId)?.returned(objectText, attributesOf(rest));
    },
    onAbort({ callId }) {
      for (const call of models.all(callId)) call.left("abandoned");
    },
    onError(event) {
      const { callId, error } = event as { readonly callId: string; readonly error: unknown };
      for (const call of models.all(callId)) call.threw(error);
    },
    onEnd({ callId }) {
      for (const call of models.all(callId)) call.left("abandoned");
    },
  };
}

function startOf({ callId, provider, modelId, messages, promptMessages, instructions, tools }: ModelEvent): CallStart {
  return {
    kind: "model-call",
    values: { messages: messages ?? promptMessages, instructions, tools },
    attributes: { "ai.call_id": callId, "gen_ai.provider.name": provider, "gen_ai.request.model": modelId },
  };
}

/** Returns whether a value is an MCP tool result that reports a failed call. */
function isErrorResult(value: unknown): boolean {
  return isObject(value) && value["isError"] === true && Array.isArray(value["content"]);
}
