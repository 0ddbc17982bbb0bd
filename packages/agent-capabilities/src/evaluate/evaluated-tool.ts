import { type PathSegment, toPointer } from "@agentprint/canonical-json";
import type { Tool } from "../define/composable.ts";
import type { CapabilityContext } from "../define/context.ts";
import type { Hooks } from "../define/hooks.ts";
import type { Policy } from "../define/policy.ts";
import { CapabilityError } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import type { SchemaIssue } from "../hash/standard-schema.ts";
import type { ToolSpec } from "../hash/tool-spec.ts";
import { untilAborted } from "./abort.ts";
import { notifyHooks } from "./notify-hooks.ts";
import { PolicyPass } from "./policy-pass.ts";

/** An enabled tool, bound to the context with which it was evaluated. */
export interface EvaluatedTool<Input = never, Output = unknown> extends ToolSpec {
  /** Returns the digest of the definition, equal to the tool's. */
  computeStaticHash(options?: HashOptions): string;
  /**
   * Evaluates the live policies again, validates the input, and runs the handler with the validated value.
   *
   * @throws {@link CapabilityError} `policy-denied` or `policy-failed` when a live policy denies or throws
   * @throws {@link CapabilityError} `invalid-input` when the input does not match the schema
   * @throws {@link CapabilityError} `hook-failed` when a hook throws, `aborted` when a signal fires
   * @throws {@link Error} unchanged, when the handler throws it
   */
  execute(input: Input, options?: ExecuteOptions): Promise<Awaited<Output>>;
}

/** Options of {@link EvaluatedTool.execute}. */
export interface ExecuteOptions {
  /** Ends this execution early. The context's signal does the same. */
  readonly signal?: AbortSignal | undefined;
}

interface Surroundings {
  /** Policies of the tool and of every toolkit around it. */
  readonly guards: readonly Policy[];
  readonly observers: readonly Hooks[];
}

/** Binds an enabled tool to its context. */
export function evaluatedTool(tool: Tool, ctx: CapabilityContext<never>, surroundings: Surroundings): EvaluatedTool {
  const { name, description, inputSchema, instructions, policies } = tool;
  return Object.freeze({
    name,
    description,
    inputSchema,
    instructions,
    policies,
    computeStaticHash: (options?: HashOptions) => tool.computeStaticHash(options),
    execute: (input: unknown, options: ExecuteOptions = {}) => execute(tool, ctx, surroundings, input, options),
  });
}

async function execute(
  tool: Tool,
  ctx: CapabilityContext<never>,
  { guards, observers }: Surroundings,
  rawInput: unknown,
  options: ExecuteOptions,
): Promise<unknown> {
  const signals = [ctx.signal, options.signal].filter((signal) => signal !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  const bound = Object.freeze({ ...ctx, ...(signal && { signal }) });
  const what = `tool "${tool.name}"`;
  await checkLivePolicies(tool, bound, guards, observers);
  const input = await untilAborted(signal, what, () => validInput(tool, rawInput));
  const event = { toolName: tool.name, input, env: ctx.env as unknown };
  let output: unknown;
  try {
    output = await untilAborted(signal, what, () => tool.handler(bound, input));
  } catch (cause) {
    await notifyHooks(observers, "onToolExecuted", { ...event, ok: false, error: cause });
    throw cause;
  }
  await notifyHooks(observers, "onToolExecuted", { ...event, ok: true, output });
  return output;
}

/** Evaluates the policies again whose answer holds for only one execution. */
async function checkLivePolicies(
  tool: Tool,
  ctx: CapabilityContext<never>,
  guards: readonly Policy[],
  observers: readonly Hooks[],
): Promise<void> {
  const pass = new PolicyPass(ctx, "throw");
  for (const policy of guards) {
    if (policy.executeBinding === "snapshot") continue;
    const isAllowed = await pass.askUntilDenied([policy], { phase: "execution", name: tool.name, observers });
    if (isAllowed) continue;
    throw new CapabilityError(
      "policy-denied",
      `tool "${tool.name}": policy "${policy.id}" allowed it at evaluation and denies it now`,
      { policyId: policy.id, toolName: tool.name },
    );
  }
}

async function validInput(tool: Tool, input: unknown): Promise<unknown> {
  const standard = tool.inputSchema["~standard"];
  if (tool.validate === undefined && typeof standard.validate !== "function") {
    throw new CapabilityError("invalid-schema", `tool "${tool.name}": its schema has no validate function`, {
      toolName: tool.name,
    });
  }
  const result = await (tool.validate === undefined ? standard.validate(input) : tool.validate(input));
  if (!result.issues) return result.value;
  const issues = result.issues.map((issue) => ({ path: toPointer(pathOf(issue)), message: issue.message }));
  const shown = issues.map(({ path, message }) => `${message} (at ${path || "the root"})`).join("; ");
  throw new CapabilityError("invalid-input", `tool "${tool.name}": input does not match its schema: ${shown}`, {
    toolName: tool.name,
    path: pathOf(result.issues[0] ?? { message: "" }),
    issues,
  });
}

/** Returns the path of an issue as JSON Pointer segments. */
function pathOf(issue: SchemaIssue): PathSegment[] {
  return (issue.path ?? []).map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment;
    return typeof key === "number" ? key : String(key);
  });
}
