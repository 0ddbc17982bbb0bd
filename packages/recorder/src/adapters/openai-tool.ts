import * as sdk from "@openai/agents";
import { asObject } from "./as-object.ts";
import type { CallJournal } from "./call-journal.ts";
import { type Run, runs } from "./openai-run.ts";
import { parsedArguments } from "./parsed-arguments.ts";
import { requireOpen } from "./replace-methods.ts";

type Invoke = sdk.FunctionTool["invoke"];
type AnySpan = NonNullable<ReturnType<typeof sdk.getCurrentSpan>>;

/** The original functions of tools, by their replacements. */
const before = new WeakMap<Invoke, Invoke>();

/**
 * Makes a tool record the call that is about to begin. For other calls, the tool keeps its own function, which
 * determines how the library reads its arguments.
 *
 * @param id The id that the model assigned to the call.
 * @throws {@link RecorderError} `unsupported` if the tool is frozen.
 */
export function recordNextCall(tool: sdk.FunctionTool, id: string | undefined, journal: CallJournal): void {
  requireOpen(tool);
  const invoke = before.get(tool.invoke) ?? tool.invoke;
  const recorded: Invoke = (context, input, details) => {
    tool.invoke = invoke;
    return record(tool, id, journal, [context, input, details]);
  };
  before.set(recorded, invoke);
  tool.invoke = recorded;
  // A guardrail may refuse the call, which is then not made.
  queueMicrotask(() => {
    if (tool.invoke === recorded) tool.invoke = invoke;
  });
}

async function record(
  tool: sdk.FunctionTool,
  id: string | undefined,
  journal: CallJournal,
  [context, input, details]: Parameters<Invoke>,
): Promise<unknown> {
  const { invoke } = tool;
  const values = { arguments: parsedArguments(input) };
  const call = await journal.begin({ kind: "call", call: id, tool: tool.name, values });
  const signal = details?.signal;
  const leave = () => call.threw(signal?.reason, true);
  signal?.addEventListener("abort", leave);
  call.onEnd(() => signal?.removeEventListener("abort", leave));
  try {
    signal?.throwIfAborted();
    const errors = new SpanErrors(tool.name);
    const below: NonNullable<Run["below"]> = [];
    const output = await runs.run({ journal, below }, () =>
      errors.within(() => invoke.call(tool, context, input, details)),
    );
    // An agent that is used as a tool returns a text while it waits for a person.
    const isWaiting = below.some((run) => run.agentToolInvocation?.toolCallId === id && run.interruptions.length > 0);
    if (isWaiting) call.left("interrupted");
    else call.returned(output, {}, errors.isTold);
    return output;
  } catch (error) {
    call.threw(error, signal?.aborted);
    throw error;
  }
}

/**
 * Detects that a tool has failed, because the library then gives the model a text, and reports the failure only to the
 * span.
 */
class SpanErrors {
  readonly #tool: string;
  isTold = false;

  constructor(tool: string) {
    this.#tool = tool;
  }

  within<T>(run: () => T): T {
    const context = sdk.getCurrentTraceContext();
    if (!context?.span) return run();
    return sdk.withTraceContext({ trace: context.trace, span: this.#observe(context.span) }, run);
  }

  #observe(span: AnySpan): AnySpan {
    const setError = (error: Parameters<AnySpan["setError"]>[0]): void => {
      if (asObject(error.data)["tool_name"] === this.#tool) this.isTold = true;
      span.setError(error);
    };
    return new Proxy(span, {
      get(_, name) {
        if (name === "setError") return setError;
        const value: unknown = Reflect.get(span, name);
        return typeof value === "function" ? value.bind(span) : value;
      },
      set: (_, name, value) => Reflect.set(span, name, value),
    });
  }
}
