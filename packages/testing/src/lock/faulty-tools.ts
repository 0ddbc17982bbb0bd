import type { JsonObject } from "@agentprint/canonical-json";

/** An input schema that MCP allows: an object with a path. */
export const ALLOWED_INPUT: JsonObject = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};

/** Members of a tool whose schema MCP does not allow, and where the fault is. */
export const FAULTY_TOOLS: readonly (readonly [form: string, members: JsonObject, pointer: string])[] = [
  ["no inputSchema", {}, "/inputSchema"],
  ["null", { inputSchema: null }, "/inputSchema"],
  ["an array", { inputSchema: [] }, "/inputSchema"],
  ["a string", { inputSchema: "object" }, "/inputSchema"],
  ["a number", { inputSchema: 1 }, "/inputSchema"],
  ["true", { inputSchema: true }, "/inputSchema"],
  ["false", { inputSchema: false }, "/inputSchema"],
  ["no keyword", { inputSchema: {} }, "/inputSchema/type"],
  ["the dialect alone", { inputSchema: { $schema: "http://json-schema.org/draft-07/schema#" } }, "/inputSchema/type"],
  ["a text alone", { inputSchema: { description: "Anything" } }, "/inputSchema/type"],
  ["no type", { inputSchema: { properties: {}, additionalProperties: false } }, "/inputSchema/type"],
  ["a list of one type", { inputSchema: { ...ALLOWED_INPUT, type: ["object"] } }, "/inputSchema/type"],
  ["a type in capitals", { inputSchema: { ...ALLOWED_INPUT, type: "OBJECT" } }, "/inputSchema/type"],
  ["another type", { inputSchema: { type: "array" } }, "/inputSchema/type"],
  ["null as type", { inputSchema: { ...ALLOWED_INPUT, type: null } }, "/inputSchema/type"],
  ["the type in a choice", { inputSchema: { anyOf: [ALLOWED_INPUT] } }, "/inputSchema/type"],
  [
    "the type behind a reference",
    { inputSchema: { $ref: "#/$defs/A", $defs: { A: ALLOWED_INPUT } } },
    "/inputSchema/type",
  ],
  ["a number as dialect", { inputSchema: { ...ALLOWED_INPUT, $schema: 7 } }, "/inputSchema/$schema"],
  ["null as properties", { inputSchema: { type: "object", properties: null } }, "/inputSchema/properties"],
  ["a list as properties", { inputSchema: { type: "object", properties: [] } }, "/inputSchema/properties"],
  ["null as required members", { inputSchema: { ...ALLOWED_INPUT, required: null } }, "/inputSchema/required"],
  ["a text as required members", { inputSchema: { ...ALLOWED_INPUT, required: "path" } }, "/inputSchema/required"],
  ["a required number", { inputSchema: { ...ALLOWED_INPUT, required: ["path", 1] } }, "/inputSchema/required"],
  ["null as output", { inputSchema: ALLOWED_INPUT, outputSchema: null }, "/outputSchema"],
  ["a list as output", { inputSchema: ALLOWED_INPUT, outputSchema: [] }, "/outputSchema"],
  ["true as output", { inputSchema: ALLOWED_INPUT, outputSchema: true }, "/outputSchema"],
  [
    "no dialect of the output",
    { inputSchema: ALLOWED_INPUT, outputSchema: { $schema: null } },
    "/outputSchema/$schema",
  ],
];
