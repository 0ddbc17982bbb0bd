import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@agentprint/canonical-json";
import { audio, embedded, image, text } from "@agentprint/testing/mcp-servers/conformance-contents";

/** A call that a tool of the fixture handles, independent of the SDK. */
export interface Call {
  readonly arguments: JsonObject;
  readonly progressToken: string | number | undefined;
  /** Sends a notification that belongs to the call. */
  readonly notify: (method: string, params: JsonObject) => Promise<void>;
  /** Asks the client; only in eras with the handshake. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
}

export interface Tool {
  readonly parameters?: readonly string[];
  readonly call: (call: Call) => Promise<JsonObject>;
}

const PAUSE = 50;

const said = (...content: JsonObject[]) => ({ content });
const form = (properties: JsonObject, required: string[] = []) => ({ type: "object", properties, required });

async function answered({ ask }: Call, what: string, message: string, requestedSchema: JsonObject) {
  const { action, content = {} } = await ask("elicitation/create", { message, requestedSchema });
  return said(text(`${what}: action=${action}, content=${JSON.stringify(content)}`));
}

const titled = (...names: string[]) => names.map((name) => ({ const: name, title: `The ${name}` }));
const OPTIONS = ["option1", "option2", "option3"];

/** The tools that the suite calls in both revisions, and those that ask the client in the older one. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: { call: async () => said(text("This is a simple text response for testing.")) },
  test_image_content: { call: async () => said(image) },
  test_audio_content: { call: async () => said(audio) },
  test_embedded_resource: {
    call: async () => said(embedded("test://embedded-resource", "This is an embedded resource content.")),
  },
  test_multiple_content_types: {
    call: async () =>
      said(
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
      ),
  },
  test_error_handling: {
    call: async () => ({ isError: true, ...said(text("This tool intentionally returns an error for testing")) }),
  },
  test_tool_with_progress: {
    async call({ progressToken, notify }) {
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await sleep(PAUSE);
        if (progressToken !== undefined)
          await notify("notifications/progress", { progressToken, progress, total: 100 });
      }
      return said(text("done"));
    },
  },
  test_tool_with_logging: {
    async call({ notify }) {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await notify("notifications/message", { level: "info", data });
        await sleep(PAUSE);
      }
      return said(text("done"));
    },
  },
  test_sampling: {
    parameters: ["prompt"],
    async call({ arguments: { prompt = "" }, ask }) {
      const messages = [{ role: "user", content: text(String(prompt)) }];
      const { content } = await ask("sampling/createMessage", { messages, maxTokens: 100 });
      return said(text(`LLM response: ${(content as JsonObject)["text"]}`));
    },
  },
  test_elicitation: {
    parameters: ["message"],
    call: (call) =>
      answered(
        call,
        "User response",
        String(call.arguments["message"]),
        form({ username: { type: "string" }, email: { type: "string" } }, ["username", "email"]),
      ),
  },
  test_elicitation_sep1034_defaults: {
    call: (call) =>
      answered(
        call,
        "Elicitation completed",
        "Defaults",
        form({
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        }),
      ),
  },
  test_elicitation_sep1330_enums: {
    call: (call) =>
      answered(
        call,
        "Elicitation completed",
        "Options",
        form({
          untitledSingle: { type: "string", enum: OPTIONS },
          titledSingle: { type: "string", oneOf: titled("value1", "value2", "value3") },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
          titledMulti: { type: "array", items: { anyOf: titled("value1", "value2", "value3") } },
        }),
      ),
  },
};

/** Returns the definitions of the fixture's tools. */
export function toolList(tools: Readonly<Record<string, Pick<Tool, "parameters">>>): {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, { type: string }>; required: string[] };
}[] {
  return Object.entries(tools).map(([name, { parameters = [] }]) => ({
    name,
    description: "A tool of the fixture",
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }])),
      required: [...parameters],
    },
  }));
}
