import { isObject, type JsonObject, ownMember, toPointer } from "@agentprint/canonical-json";
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { Principal } from "../access/principal.ts";
import { holdTexts } from "../answer-hold.ts";
import { isKnownError, McpServerError } from "../errors.ts";
import type { Services } from "../services.ts";

/** A tool call. */
export interface Call {
  readonly services: Services;
  readonly principal: Principal;
  /** The client's name, if it sent one. */
  readonly clientName: string | undefined;
  /** Aborted when the client cancels the call or the server ends. */
  readonly signal: AbortSignal;
}

/** A tool's result. */
interface Answer {
  /** The structured content, as the output schema describes it. */
  readonly content: object;
  /** The same content for people, in one line or a few. */
  readonly text: string;
  /** The code of the error that the content reports; such an answer has `isError`. */
  readonly errorCode?: string | undefined;
  /** Members that the caller chose for the call's log entry, made safe. */
  readonly trace?: object;
}

/** One of the server's tools. */
export interface Tool<Input extends StandardSchemaWithJSON> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: StandardSchemaWithJSON;
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly run: (input: StandardSchemaWithJSON.InferOutput<Input>, call: Call) => Answer | Promise<Answer>;
}

/** A tool with arguments of any type. */
export type AnyTool = Tool<StandardSchemaWithJSON>;

/** Checks a tool's types, and then erases the types of its arguments. */
export function defineTool<Input extends StandardSchemaWithJSON>(tool: Tool<Input>): AnyTool {
  return tool as unknown as AnyTool;
}

/** The hints of a tool that only reads and gives the same answer when it is called again. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Offers a tool to the clients of `server`. */
export function addTool(server: McpServer, tool: AnyTool, services: Services, principal: Principal): void {
  const { name, title, description, input, output, annotations, run } = tool;
  const config = { title, description, inputSchema: checkedLater(input), outputSchema: output, annotations };
  server.registerTool(name, config, async (args, { mcpReq }) =>
    services.calls.run(mcpReq.signal, async (signal) => {
      const started = performance.now();
      const clientName = clientNameOf(mcpReq.envelope) ?? server.server.getClientVersion()?.name;
      const { result, outcome, trace } = await answer(
        () => run(accepted(args), { services, principal, clientName, signal }),
        services,
      );
      const ms = Math.round(performance.now() - started);
      services.log.info({ tool: name, outcome, ms, token: principal.id, ...trace }, "call");
      return result;
    }),
  );
}

/** The issues with arguments that their schema rejects. */
class RejectedArguments {
  readonly issues: readonly StandardIssue[];

  constructor(issues: readonly StandardIssue[]) {
    this.issues = issues;
  }
}

/** One issue that a schema reports. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Returns the same schema, but its issues reach the tool, because the SDK's own message about them has no code. */
function checkedLater(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const standard = schema["~standard"];
  const validate = async (value: unknown) => {
    const result = await standard.validate(value);
    return result.issues ? { value: new RejectedArguments(result.issues) } : result;
  };
  return { "~standard": { ...standard, validate } };
}

/**
 * Returns arguments that their schema has accepted.
 *
 * @throws {@link McpServerError} `INVALID_ARGUMENT` for rejected arguments.
 */
function accepted<T>(args: T): T {
  if (!(args instanceof RejectedArguments)) return args;
  const [issue] = args.issues;
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  throw new McpServerError(
    "INVALID_ARGUMENT",
    `${issue?.message ?? "another form was expected"} at ${toPointer(path) || "the root"}`,
  );
}

/**
 * Returns the client's name from the envelope of a request; clients of the era without a handshake send it with each
 * request.
 */
function clientNameOf(envelope: object | undefined): string | undefined {
  const info = envelope && ownMember(envelope as JsonObject, CLIENT_INFO_META_KEY);
  const name = isObject(info) ? ownMember(info as JsonObject, "name") : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

async function answer(
  run: () => Answer | Promise<Answer>,
  { log }: Services,
): Promise<{ readonly result: CallToolResult; readonly outcome: string; readonly trace?: object | undefined }> {
  try {
    const { content, text, errorCode, trace } = await run();
    const json = { type: "text" as const, text: JSON.stringify(content) };
    holdTexts(2 * json.text.length + text.length);
    const result = { content: [json, { type: "text" as const, text }], structuredContent: { ...content } };
    return errorCode === undefined
      ? { result, outcome: "ok", trace }
      : { result: { ...result, isError: true }, outcome: errorCode, trace };
  } catch (error) {
    if (!isKnownError(error)) log.error({ err: error }, "a tool failed");
    const { code, message } = isKnownError(error) ? error : { code: "INTERNAL", message: "the tool failed" };
    return { result: { content: [{ type: "text", text: `${code}: ${message}` }], isError: true }, outcome: code };
  }
}

/**
 * Throws if a call was cancelled before it did anything.
 *
 * @throws {@link McpServerError} `CANCELLED`.
 */
export function checkNotCancelled({ signal }: Call): void {
  if (signal.aborted) throw new McpServerError("CANCELLED", "the call was cancelled, and nothing was done");
}
