import { fromJsonSchema, type JsonSchemaType, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const titled = (...titles: string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));
const OPTIONS = ["option1", "option2", "option3"];

/**
 * The tools that send messages while they run: logs, progress, and the requests that only the era with a handshake has.
 */
export function addMessages(server: McpServer): void {
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));

  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(name, { description: "Logs while it runs" }, async ({ mcpReq }) => {
      for (const step of ["started", "processing", "completed"]) await mcpReq.log("info", `Tool execution ${step}`);
      return text("logged");
    });
  }
  server.registerTool("test_tool_with_progress", { description: "Tells its progress" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    }
    return text(String(progressToken));
  });

  const prompt = z.object({ prompt: z.string() });
  server.registerTool(
    "test_sampling",
    { description: "Asks a model", inputSchema: prompt },
    async (args, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: args.prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const elicit = (name: string, properties: object, required: string[] = []): void => {
    const inputSchema = z.object({ message: z.string().default("Please answer") });
    server.registerTool(name, { description: "Asks the user", inputSchema }, async ({ message }, { mcpReq }) => {
      const requestedSchema = { type: "object", properties, required } as never;
      const { action, content } = await mcpReq.elicitInput({ mode: "form", message, requestedSchema });
      return text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
    });
  };
  elicit("test_elicitation", { response: { type: "string" } }, ["response"]);
  elicit("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  elicit("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: titled("First Choice", "Second Choice") } },
  });

  const region = { type: "string", "x-mcp-header": "Region" } as const;
  server.registerTool(
    "test_custom_header",
    {
      description: "Has an argument that is a header, too",
      inputSchema: fromJsonSchema({ type: "object", properties: { region }, required: ["region"] } as JsonSchemaType),
    },
    () => text("ok"),
  );

  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  };
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a schema with many keywords", inputSchema: fromJsonSchema(schema as JsonSchemaType) },
    () => text("ok"),
  );
}
