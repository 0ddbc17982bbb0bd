import { isJsonObject, isSha256Hex, type JsonObject } from "@agentprint/canonical-json";
import { coded, ToolPinsError } from "../errors.ts";
import { fingerprintWithWire } from "../tool/fingerprint-tool.ts";
import { readDefinition } from "../tool/read-definition.ts";
import { LAYERS } from "../tool/tool-layers.ts";
import { PIN_VERSION, type PinnedTool, pinsDigest, sortedPins, type ToolPins } from "./pins.ts";

const DIGESTS = ["wire", ...LAYERS] as const;
const MEMBERS = ["name", ...DIGESTS];

/** Checks a value, including its definitions, and returns it as sorted pins: text 13, rule P5. */
export function checkPins(value: unknown): ToolPins {
  const { digest, tools } = checkForm(value);
  return sortedPins(digest, tools.map(checkDigests));
}

/**
 * Checks a value without its definitions, and returns it as unsorted pins, so that an index is the place of a tool.
 */
export function checkForm(value: unknown): ToolPins {
  return coded("invalid-pins", () => readForm(value));
}

function readForm(value: unknown): ToolPins {
  if (!isJsonObject(value) || !Object.hasOwn(value, "pinVersion"))
    throw invalid("", "Expected pins: an object with `pinVersion`");
  if (value["pinVersion"] !== PIN_VERSION) {
    const message = `Expected pin version ${PIN_VERSION}: read these pins with a newer agentprint, or pin again`;
    throw new ToolPinsError("unsupported-pin-version", "/pinVersion", message);
  }
  const { digest, tools } = value as { readonly digest?: unknown; readonly tools?: unknown };
  if (!hasExactly(value, ["digest", "pinVersion", "tools"]) || !Array.isArray(tools)) {
    throw invalid("", "Expected exactly `pinVersion`, `digest` and the list `tools`");
  }
  if (typeof digest !== "string" || !digest.startsWith("tdh1:") || !isSha256Hex(digest.slice("tdh1:".length))) {
    throw invalid("/digest", "Expected `tdh1:` and 64 lowercase hexadecimal digits");
  }
  const hasDefinitions = isJsonObject(tools[0]) && Object.hasOwn(tools[0], "definition");
  const checked = Array.from(tools, (tool: unknown, index) => checkTool(tool, `/tools/${index}`, hasDefinitions));
  const names = new Set<string>();
  for (const [index, { name }] of checked.entries()) {
    if (names.has(name))
      throw new ToolPinsError("duplicate-name", `/tools/${index}/name`, "Another tool has the same name");
    names.add(name);
  }
  if (pinsDigest(checked) !== digest) {
    throw new ToolPinsError(
      "digest-mismatch",
      "/digest",
      "The names or digests of the tools were edited: restore the pins, or pin again",
    );
  }
  return { pinVersion: PIN_VERSION, digest, tools: checked };
}

/** Returns a well-formed pinned tool, as a copy that no getter can change. */
function checkTool(value: unknown, at: string, hasDefinitions: boolean): PinnedTool {
  const members = hasDefinitions ? [...MEMBERS, "definition"] : MEMBERS;
  const tool = isJsonObject(value) ? { ...value } : undefined;
  if (tool === undefined || !hasExactly(tool, members) || !isName(tool["name"])) {
    throw invalid(
      at,
      `Expected a tool with exactly ${members.join(", ")}: either all tools have a definition, or none`,
    );
  }
  for (const layer of DIGESTS) {
    if (!isSha256Hex(tool[layer])) throw invalid(`${at}/${layer}`, "Expected 64 lowercase hexadecimal digits");
  }
  const definition = tool["definition"];
  if (hasDefinitions && !(isJsonObject(definition) && definition["name"] === tool["name"])) {
    throw invalid(`${at}/definition`, "Expected a definition with the name of its tool");
  }
  return tool as unknown as PinnedTool;
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name.isWellFormed();
}

function hasExactly(object: JsonObject, members: readonly string[]): boolean {
  return Object.keys(object).length === members.length && members.every((name) => Object.hasOwn(object, name));
}

function invalid(path: string, message: string): ToolPinsError {
  return new ToolPinsError("invalid-pins", path, message);
}

/** Returns a pinned tool; throws if it has a definition that does not match the digests. */
export function checkDigests(tool: PinnedTool, index: number): PinnedTool {
  if (tool.definition === undefined) return tool;
  const at = `/tools/${index}`;
  const { definition, wire } = readDefinition(tool.definition, `${at}/definition`);
  const digests = fingerprintWithWire(definition, wire);
  for (const layer of DIGESTS) {
    if (digests[layer] !== tool[layer]) {
      throw new ToolPinsError(
        "digest-mismatch",
        `${at}/${layer}`,
        "The definition does not match its digest: restore the pins, or pin again",
      );
    }
  }
  return { ...tool, definition };
}
