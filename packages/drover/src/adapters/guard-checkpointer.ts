import { isObject } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { checkRecord } from "../check-record.ts";
import { fingerprintSpec } from "../fingerprint-spec.ts";
import type { AgentSpec } from "../spec.ts";
import type { SpecWarning } from "../spec-warning.ts";

/** The part of a `RunnableConfig` that the guard reads. */
export interface CheckpointConfig {
  readonly configurable?: { readonly [key: string]: unknown };
}

/** The method of a `BaseCheckpointSaver` that the guard replaces. */
export interface Checkpointer {
  getTuple(config: never): Promise<{ readonly checkpoint: unknown; readonly metadata?: object } | undefined>;
  put(config: never, checkpoint: never, metadata: never, newVersions: never): Promise<unknown>;
}

/** Options of {@link guardCheckpointer}. */
export interface GuardCheckpointerOptions {
  /** Called for each accepted checkpoint with the parts of the agent whose changes cannot be detected. */
  readonly onWarnings?: ((warnings: readonly SpecWarning[], threadId: string) => void) | undefined;
}

/** The member of a checkpoint's metadata that holds the spec's record. */
const MEMBER = "agentprint";

/**
 * Returns a checkpointer that writes the spec's fingerprint into the metadata of each checkpoint and refuses to load a
 * checkpoint of another spec: `invoke`, `stream`, `getState` and `updateState` reject with a `ResumeError`, and nothing
 * runs. A checkpoint without a fingerprint is also refused. A thread's history and the checkpointer's other functions
 * do not change; read the state of a refused thread through the original checkpointer.
 *
 * @param checkpointer - Any `BaseCheckpointSaver`.
 * @param spec - Returns the graph's spec; it is called with the call's configuration when a checkpoint is written or
 * loaded.
 * @returns The guarded checkpointer, for `compile({ checkpointer })` and `createAgent({ checkpointer })`.
 * @example
 * ```ts
 * import { guardCheckpointer, specFromLangGraph } from "@agentprint/drover/langgraph";
 * import { MemorySaver } from "@langchain/langgraph";
 *
 * const spec = () => specFromLangGraph({ id: "writer", configurable: { systemPrompt: "Write." }, tools: [] });
 * const checkpointer = guardCheckpointer(new MemorySaver(), spec);
 * console.log(await checkpointer.get({ configurable: { thread_id: "1" } })); // undefined
 * ```
 */
export function guardCheckpointer<Guarded extends Checkpointer>(
  checkpointer: Guarded,
  spec: (config: CheckpointConfig) => AgentSpec | Promise<AgentSpec>,
  options: GuardCheckpointerOptions = {},
): Guarded {
  checkArgument("checkpointer", checkpointer, { getTuple: "function", put: "function" });
  checkArgument("spec", spec, "function");
  checkArgument("options", options, "object");
  const { onWarnings } = options;
  const getTuple = async (config: CheckpointConfig) => {
    const tuple = await checkpointer.getTuple(config as never);
    if (tuple === undefined) return undefined;
    const threadId = String(config.configurable?.["thread_id"]);
    const recorded = isObject(tuple.metadata) ? tuple.metadata[MEMBER] : undefined;
    const warnings = await checkRecord(await spec(config), threadId, recorded);
    onWarnings?.(warnings, threadId);
    return tuple;
  };
  const guarded: { readonly [name: string | symbol]: unknown } = {
    getTuple,
    get: async (config: CheckpointConfig) => (await getTuple(config))?.checkpoint,
    put: async (config: CheckpointConfig, checkpoint: never, metadata: object, newVersions: never) => {
      const current = await spec(config);
      const specFingerprint = fingerprintSpec(current);
      const record = { agentId: current.id, specHash: specFingerprint.spec32, specFingerprint };
      return checkpointer.put(config as never, checkpoint, { ...metadata, [MEMBER]: record } as never, newVersions);
    },
  };
  return new Proxy(checkpointer, {
    get(target, name) {
      if (Object.hasOwn(guarded, name)) return guarded[name];
      const member: unknown = Reflect.get(target, name, target);
      // The function is bound to its target, because a proxy does not have the target's private members.
      return typeof member === "function" && name !== "constructor" ? member.bind(target) : member;
    },
  });
}
