import { isJsonObject, type JsonObject, toPointer } from "@agentprint/canonical-json";
import { type Finding, findingKinds, type Place } from "@agentprint/findings";
import { SchemaDocument, walkSchemas } from "@agentprint/json-schema";
import type { LockedServer } from "@agentprint/mcp-lock";
import { RELEASE_RULES, type ReleaseRuleId } from "../rules.ts";
import { CLIENT_REFUSALS, type ClientRefusal } from "./client-refusals.ts";
import { listedValues } from "./enum-in-words.ts";
import { wrongValues } from "./wrong-values.ts";

type Found = Finding<ReleaseRuleId>;

const byRule = /* @__PURE__ */ findingKinds(RELEASE_RULES);

/** The hints of MCP. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** Matches a name as "Tool Names" in MCP 2026-07-28 requires. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Returns notes for a server's author about its tools, under the rules in {@link RELEASE_RULES}: names that the
 * protocol advises against, tools without hints, values that only the description lists, forms that official clients
 * refuse, and values that their schema refuses.
 *
 * @param entry The server's entry; a tool with several definitions gets the notes on each
 */
export function hygieneFindings({ name: server, tools }: LockedServer): Found[] {
  return tools.flatMap(({ definition }) => {
    const tool = String(definition["name"]);
    const place = { subject: `${server} › ${tool}`, server, tool };
    return [
      ...(TOOL_NAME.test(tool) ? [] : [{ ...byRule("release/tool-name", NAME_RULE), place }]),
      ...(hasHints(definition) ? [] : [{ ...byRule("release/no-hints", "the tool has no hint"), place }]),
      ...CLIENT_REFUSALS.flatMap((refusal) => refusalFindings(refusal, definition, place)),
      ...["inputSchema", "outputSchema"].flatMap((member) => schemaFindings(member, definition, place)),
    ];
  });
}

const NAME_RULE = "the name is not 1 to 128 ASCII letters, digits, _, - and .";

function hasHints({ annotations }: JsonObject): boolean {
  return isJsonObject(annotations) && HINTS.some((hint) => typeof annotations[hint] === "boolean");
}

function refusalFindings(refusal: ClientRefusal, definition: JsonObject, place: Place): Found[] {
  const pointer = refusal.find(definition);
  if (pointer === undefined) return [];
  const { listRefusedBy, toolDroppedBy, expected } = refusal;
  const said = [
    ...(listRefusedBy.length > 0 ? [`the entire list is refused by ${listRefusedBy.join(", ")}`] : []),
    ...(toolDroppedBy.length > 0 ? [`the tool is dropped by ${toolDroppedBy.join(", ")}`] : []),
  ];
  const message = `official clients expect ${expected}`;
  return [{ ...byRule("release/client-refuses", message), place: { ...place, pointer }, note: said.join("; ") }];
}

function schemaFindings(member: string, definition: JsonObject, place: Place): Found[] {
  const root = definition[member];
  if (!isJsonObject(root)) return [];
  const at = (pointer: string): Place => ({ ...place, pointer: toPointer([member]) + pointer });
  const listed = member === "inputSchema" ? [...walkSchemas(new SchemaDocument(root))] : [];
  return [
    ...listed.flatMap(({ pointer, value }) => {
      const values = isJsonObject(value) ? listedValues(value) : [];
      const message = "the description lists the values, but the schema accepts any text";
      return values.length === 0
        ? []
        : [{ ...byRule("release/enum-in-words", message), place: at(pointer), after: { enum: [...values] } }];
    }),
    ...wrongValues(root).map(({ pointer, value }) => ({
      ...byRule("release/value-not-valid", "the value does not match its schema"),
      place: at(pointer),
      before: value,
    })),
  ];
}
