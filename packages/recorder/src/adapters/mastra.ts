import { checkArgument, RECORDER } from "../check-argument.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { asObject } from "./as-object.ts";
import { CallJournal } from "./call-journal.ts";
import { attributesOf, type ModelAnswer, readPart } from "./model-answer.ts";
import { observeStream } from "./observe-stream.ts";
import type { RecordingOptions } from "./recording-options.ts";
import { replaceMethods } from "./replace-methods.ts";
import { requireHooks } from "./require-hooks.ts";

export type { Content, RecordingOptions, TurnLink } from "./recording-options.ts";

/** An agent of Mastra. */
export interface MastraAgent {
  readonly id: string;
  generate(...args: never): unknown;
  stream(...args: never): unknown;
}

/** The functions through which all of an agent's models and tools pass. */
interface Passages {
  resolveModelConfig(...args: unknown[]): Promise<Model>;
  wrapToolsWithHooks(tools: Readonly<Record<string, Tool>>, hooks: unknown): Record<string, Tool>;
}

/** The members that are read from a model and from its options. */
interface Model {
  readonly provider?: string;
  readonly modelId?: string;
}

interface ModelCall {
  readonly prompt?: unknown;
  readonly tools?: unknown;
  readonly abortSignal?: AbortSignal;
}

interface Tool {
  execute?(input: unknown, context?: ToolContext): unknown;
}

interface ToolContext {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal;
  suspend?(...args: readonly unknown[]): unknown;
}

const journals = new WeakMap<object, CallJournal>();

/**
 * Makes a Mastra agent record each tool call and each attempt of a model call. The agents that it uses as tools are
 * recorded separately. If an agent is recorded again, its calls go to the later recorder.
 *
 * In mode `before`, a call whose start cannot be recorded is not made: a model call fails with {@link RecorderError}
 * `lost` or `closed`; a tool call returns an error to the model.
 *
 * @returns The given agent.
 * @throws {@link RecorderError} `unsupported` if the installed `@mastra/core` cannot be recorded.
 * @example
 * ```ts
 * import { recordAgent } from "@agentprint/recorder/mastra";
 * import { Agent } from "@mastra/core/agent";
 *
 * const agent = recordAgent(new Agent({ id: "a", name: "A", instructions: "Plan.", model: "openai/gpt-5" }), recorder);
 * console.log(agent.id); // a
 * ```
 */
export function recordAgent<A extends MastraAgent>(agent: A, recorder: Recorder, options?: RecordingOptions): A {
  checkArgument("agent", agent, "object");
  requireHooks("@mastra/core", agent, ["resolveModelConfig", "wrapToolsWithHooks"]);
  checkArgument("recorder", recorder, RECORDER);
  checkArgument("options", options, "object?");
  const journal = () => journals.get(agent) as CallJournal;
  replaceMethods<Passages>(agent as unknown as Passages, ({ resolveModelConfig, wrapToolsWithHooks }) => ({
    async resolveModelConfig(...args: unknown[]) {
      return recordModel(await resolveModelConfig.apply(agent, args), journal);
    },
    wrapToolsWithHooks(tools: Readonly<Record<string, Tool>>, hooks: unknown) {
      const recorded = Object.entries(tools).map(([name, tool]) => [name, recordTool(name, tool, journal)]);
      return wrapToolsWithHooks.call(agent, Object.fromEntries(recorded), hooks);
    },
  }));
  journals.set(agent, new CallJournal(recorder, options));
  return agent;
}

/** Returns the same model for another agent, whose calls are recorded separately. */
function recordModel(model: Model, journal: () => CallJournal): Model {
  return new Proxy(model, {
    get(_, name) {
      const value: unknown = Reflect.get(model, name);
      if (typeof value !== "function") return value;
      if (name !== "doStream" && name !== "doGenerate") return value.bind(model);
      return (call: ModelCall) => callModel(model, call, journal(), () => value.call(model, call));
    },
  });
}

async function callModel(
  { provider, modelId }: Model,
  { prompt, tools, abortSignal }: ModelCall,
  journal: CallJournal,
  ask: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const call = await journal.begin({
    kind: "model-call",
    values: { messages: prompt, tools },
    attributes: { "gen_ai.provider.name": provider, "gen_ai.request.model": modelId },
  });
  try {
    abortSignal?.throwIfAborted();
    const answer = await ask();
    const { content, stream } = answer;
    // A complete answer also has a stream with the same content.
    if (content !== undefined || stream === undefined) call.returned(content, attributesOf(answer));
    else {
      observeStream(stream, call, readPart);
      journal.watch(stream, call);
    }
    return answer;
  } catch (error) {
    call.threw(error, abortSignal?.aborted);
    throw error;
  }
}

function recordTool(name: string, tool: Tool, journal: () => CallJournal): Tool {
  const { execute } = tool;
  if (typeof execute !== "function") return tool;
  return {
    ...tool,
    async execute(input, context) {
      const call = await journal().begin({
        kind: "call",
        call: context?.toolCallId,
        tool: name,
        values: { arguments: input },
      });
      let isWaiting = false;
      const { suspend, abortSignal } = context ?? {};
      const observed = suspend && {
        ...context,
        suspend(...args: readonly unknown[]) {
          isWaiting = true;
          return suspend(...args);
        },
      };
      try {
        abortSignal?.throwIfAborted();
        const output = await execute.call(tool, input, observed ?? context);
        if (isWaiting) call.left("interrupted");
        else call.returned(output, {}, "validationErrors" in asObject(output));
        return output;
      } catch (error) {
        const { cause, domain } = asObject(error);
        // If a tool runs before the model's answer is complete, a request by the tool to wait is an error.
        if (isWaiting) call.left("interrupted");
        else call.threw(domain === "TOOL" ? cause : error, abortSignal?.aborted);
        throw error;
      }
    },
  };
}
