import * as sdk from "@openai/agents";
import { checkArgument, RECORDER } from "../check-argument.ts";
import { RecorderError } from "../errors.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { asObject } from "./as-object.ts";
import { CallJournal } from "./call-journal.ts";
import { recordModel, recordProvider } from "./openai-model.ts";
import { currentJournal, runs } from "./openai-run.ts";
import { recordNextCall } from "./openai-tool.ts";
import type { RecordingOptions } from "./recording-options.ts";
import { replaceMethods } from "./replace-methods.ts";
import { requireHooks } from "./require-hooks.ts";

export type { Content, RecordingOptions, TurnLink } from "./recording-options.ts";

const LIBRARY = "@openai/agents";

const journals = new WeakMap<object, CallJournal>();

/**
 * Returns a runner for the OpenAI Agents SDK whose runs record each function tool call, including tools of MCP servers,
 * and each attempt of a model call: for its agents, and for the agents that they hand off to or use as tools.
 *
 * In mode `before`, a call whose start cannot be recorded is not made: the run fails with {@link RecorderError} `lost`
 * or `closed`, or with the library's `ToolCallError`, whose `error` is that `RecorderError`.
 *
 * @param config The argument of `new Runner`.
 * @throws {@link RecorderError} `unsupported` if the installed `@openai/agents` cannot be recorded.
 * @example
 * ```ts
 * import { recordingRunner } from "@agentprint/recorder/openai-agents";
 * import { Agent } from "@openai/agents";
 * import { assistantMessage, ScriptedModel } from "@openai/agents/testing";
 *
 * const agent = new Agent({ name: "planner", model: new ScriptedModel([[assistantMessage("done")]]) });
 * const { finalOutput } = await recordingRunner(recorder).run(agent, "Go");
 * console.log(finalOutput); // done
 * ```
 */
export function recordingRunner(
  recorder: Recorder,
  options?: RecordingOptions,
  config?: ConstructorParameters<typeof sdk.Runner>[0],
): sdk.Runner {
  checkArgument("recorder", recorder, RECORDER);
  checkArgument("options", options, "object?");
  requireHooks(LIBRARY, sdk, ["Agent", "Runner", "getCurrentTraceContext", "withTraceContext"]);
  requireHooks(LIBRARY, sdk.Runner.prototype, ["run", "emit"]);
  requireHooks(LIBRARY, sdk.Agent.prototype, ["getAllTools"]);
  replaceMethods(sdk.Runner.prototype, runnerMethods);
  replaceMethods(sdk.Agent.prototype, agentMethods);
  const runner = new sdk.Runner(config);
  journals.set(runner, new CallJournal(recorder, options));
  return runner;
}

/**
 * An agent that is used as a tool has the library's own runner, so the methods of the class are replaced, which all
 * runs call.
 */
function runnerMethods({ run, emit }: sdk.Runner): object {
  return {
    async run(this: sdk.Runner, ...args: Parameters<typeof run>) {
      const above = runs.getStore();
      const journal = journals.get(this) ?? above?.journal;
      if (journal === undefined) return run.apply(this, args);
      if (!(args[0] instanceof sdk.Agent)) {
        throw new RecorderError("unsupported", `${LIBRARY}: expected an agent from the recorded copy of the library`);
      }
      recordProvider(this.config.modelProvider);
      if (typeof this.config.model === "object") recordModel(this.config.model);
      const result = await runs.run({ journal }, () => run.apply(this, args));
      above?.below?.push(result);
      return result;
    },
    emit(this: sdk.Runner, ...args: Parameters<typeof emit>) {
      const journal = currentJournal();
      if (journal !== undefined && args[0] === "agent_tool_start") beginTool(args[3], args[4], journal);
      return emit.apply(this, args);
    },
  };
}

function agentMethods({ getAllTools }: sdk.Agent): object {
  return {
    // Called for each turn, before the model call.
    getAllTools(this: sdk.Agent, ...args: Parameters<typeof getAllTools>) {
      if (currentJournal() && typeof this.model === "object") recordModel(this.model);
      return getAllTools.apply(this, args);
    },
  };
}

function beginTool(tool: unknown, details: unknown, journal: CallJournal): void {
  const { callId } = asObject(asObject(details)["toolCall"]);
  if (isFunctionTool(tool)) recordNextCall(tool, callId as string | undefined, journal);
  else journal.fault("tool-not-seen");
}

function isFunctionTool(tool: unknown): tool is sdk.FunctionTool {
  return asObject(tool)["type"] === "function";
}
