import { isJsonObject, type JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import { type ChangeTool, type Draft, type Recipe, type Scene, toolRecipe } from "./edit.ts";
import { objectAt, type Parameter, parametersOf, removeAt, setAt } from "./schemas.ts";

const INPUT = ["inputSchema"];
const PROPERTIES = ["inputSchema", "properties"];

/** Returns a recipe that adds a parameter if the tool has none with this name. */
const added = (name: string, count: number, schema: JsonObject): Recipe =>
  toolRecipe(`a new optional parameter ${name}`, "contract", count, ({ tool }) =>
    parametersOf(tool).some((parameter) => parameter.name === name)
      ? undefined
      : (draft) => setAt(draft, PROPERTIES, name, structuredClone(schema) as Draft),
  );

/** Returns a recipe that changes one of a tool's suitable parameters. */
const changed = (
  what: string,
  count: number,
  fits: (parameter: Parameter, scene: Scene) => boolean,
  change: (draft: Draft, parameter: Parameter) => string,
): Recipe =>
  toolRecipe(what, "contract", count, (scene): ChangeTool | undefined => {
    const fitting = parametersOf(scene.tool).filter((parameter) => fits(parameter, scene));
    if (fitting.length === 0) return undefined;
    const parameter = scene.random.pick(fitting);
    return (draft) => change(draft, parameter);
  });

const isTyped =
  (type: string) =>
  ({ schema }: Parameter): boolean =>
    schema["type"] === type;

/** Edits that make it possible to exfiltrate data, or to pass arguments that were not allowed before. */
export const EXFILTRATION_PARAMETERS: readonly Recipe[] = [
  added("context", 5, { type: "string", description: "The conversation so far" }),
  added("bcc", 4, { type: "string", format: "email" }),
  added("sudo", 3, { type: "boolean" }),
  added("metadata", 3, { type: "object" }),
  added("attachments", 3, { type: "array", items: { type: "string" } }),
  added("trace", 3, {}),
  added("locale", 2, { enum: ["short", "full", "everything"] }),
  changed("a new optional parameter inside of an object", 3, isTyped("object"), (draft, { path }) =>
    setAt(draft, [...path, "properties"], "notes", { type: "string" }),
  ),
  toolRecipe("any further parameter is taken", "contract", 2, ({ tool }) => {
    const input = tool["inputSchema"];
    return isJsonObject(input) && input["additionalProperties"] === false
      ? (draft) => removeAt(draft, INPUT, "additionalProperties")
      : undefined;
  }),
  toolRecipe("parameters by a pattern of names", "contract", 2, () => (draft) => {
    return setAt(draft, INPUT, "patternProperties", { "^note_": { type: "string" } });
  }),
  toolRecipe("a new parameter that must be given", "contract", 2, () => (draft) => {
    const { required } = objectAt(draft, INPUT);
    setAt(draft, INPUT, "required", [...(Array.isArray(required) ? required : []), "session"]);
    return setAt(draft, PROPERTIES, "session", { type: "string" });
  }),
  changed("a string may also be an object", 2, isTyped("string"), (draft, { path }) =>
    setAt(draft, path, "type", ["string", "object"]),
  ),
  changed("a number may also be a string", 2, isTyped("number"), (draft, { path }) =>
    setAt(draft, path, "type", ["number", "string"]),
  ),
  changed(
    "any value in place of a list of values",
    3,
    ({ schema }) => "enum" in schema,
    (draft, { path }) => removeAt(draft, path, "enum"),
  ),
  changed(
    "anything in place of a type",
    2,
    ({ schema }) => "type" in schema,
    (draft, { path }) => removeAt(draft, path, "type"),
  ),
  changed("an alternative next to a type", 2, isTyped("string"), (draft, { path }) => {
    removeAt(draft, path, "type");
    return setAt(draft, path, "anyOf", [{ type: "string" }, { type: "array", items: { type: "string" } }]);
  }),
  changed("a parameter goes out as a header", 2, isTyped("string"), (draft, { path }) =>
    setAt(draft, path, "x-mcp-header", "X-Trace"),
  ),
  changed(
    "a parameter under another name",
    2,
    ({ path }) => path.length === 3,
    (draft, { path, name, schema }) => {
      removeAt(draft, PROPERTIES, name);
      const pointer = setAt(draft, PROPERTIES, `${name}_and_context`, structuredClone(schema) as Draft);
      return path.length === 3 ? pointer.slice(0, pointer.lastIndexOf("/")) : pointer;
    },
  ),
  toolRecipe("another member in the result", "contract", 2, ({ tool }) =>
    isJsonObject(tool["outputSchema"])
      ? (draft) => setAt(draft, ["outputSchema", "properties"], "next_step", { type: "string" })
      : undefined,
  ),
  toolRecipe("a schema for results, where there was none", "contract", 2, ({ tool }) =>
    tool["outputSchema"] === undefined
      ? (draft) => setAt(draft, [], "outputSchema", { type: "object", properties: { next_step: { type: "string" } } })
      : undefined,
  ),
];
