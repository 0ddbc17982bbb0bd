import { toPointer } from "@agentprint/canonical-json";
import { untilAborted } from "./abort.ts";
import type { CapabilityContext } from "./context.ts";
import { CapabilityError } from "./errors.ts";
import type { HashOptions } from "./hash-options.ts";
import { type Hooks, notify } from "./hooks.ts";
import type { Policy } from "./policy.ts";
import { PolicyPass } from "./policy-pass.ts";
import { issuePath } from "./standard-schema.ts";
import type { Tool, ToolSpec } from "./tool.ts";

/** A tool that is enabled, bound to the context it was evaluated with. */
export interface EvaluatedTool<Input = never, Output = unknown> extends ToolSpec {
  /** As that of the tool. */
  computeStaticHash(options?: HashOptions): string;
  /**
   * Asks the live policies again, validates the input, and runs the handler with what the schema returned.
   *
   * @throws {CapabilityError} `policy-denied`, `policy-failed`, `invalid-input`, `hook-failed` or `aborted`. What the
   * handler throws passes through.
   */
  execute(input: Input, options?: ExecuteOptions): Promise<Awaited<Output>>;
}

/** Options of {@link EvaluatedTool.execute}. */
export interface ExecuteOptions {
  /** Ends this execution early, as the signal of the context does. */
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
    await notify(observers, "onToolExecuted", { ...event, ok: false, error: cause });
    throw cause;
  }
  await notify(observers, "onToolExecuted", { ...event, ok: true, output });
  return output;
}

async function checkLivePolicies(
  tool: Tool,
  ctx: CapabilityContext<never>,
  guards: readonly Policy[],
  observers: readonly Hooks[],
): Promise<void> {
  const pass = new PolicyPass(ctx, "throw");
  for (const policy of guards) {
    if (policy.executeBinding === "snapshot") continue;
    if (pass.answer(policy) ?? (await pass.ask(policy, { phase: "execution", name: tool.name, observers }))) continue;
    throw new CapabilityError(
      "policy-denied",
      `tool "${tool.name}": policy "${policy.id}" allowed it at evaluation and denies it now`,
      { policyId: policy.id, toolName: tool.name },
    );
  }
}

async function validInput(tool: Tool, input: unknown): Promise<unknown> {
  const standard = tool.inputSchema["~standard"];
  if (typeof standard.validate !== "function") {
    throw new CapabilityError("invalid-schema", `tool "${tool.name}": its schema has no validate function`, {
      toolName: tool.name,
    });
  }
  const result = await standard.validate(input);
  if (!result.issues) return result.value;
  const issues = result.issues.map((issue) => ({ path: toPointer(issuePath(issue)), message: issue.message }));
  throw new CapabilityError(
    "invalid-input",
    `tool "${tool.name}": input does not match its schema: ${issues.map(({ path, message }) => `${message} (at ${path || "the root"})`).join("; ")}`,
    { toolName: tool.name, path: issuePath(result.issues[0] ?? { message: "" }), issues },
  );
}
