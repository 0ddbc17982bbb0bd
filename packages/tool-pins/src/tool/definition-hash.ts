import {
  CanonicalJsonError,
  compareCodeUnits,
  hashCanonical,
  hashText,
  isJsonObject,
  type JsonValue,
  parseJson,
} from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { coded, ToolPinsError } from "../errors.ts";

/*
 * Tool definition hash, version 1, by GautamTalksDev (the project mcp-pin): its text `docs/TOOL_DEFINITION_HASH.md`.
 * That text defines the rules; any difference from it is a fault of this file.
 */

/**
 * Returns the definition hash of *Tool definition hash v1*: SHA-256 of the RFC 8785 form of a tool or prompt as the
 * server sent it, where a lone surrogate is written as `\udxxx`. It equals the digest `wire` of {@link fingerprintTool}
 * if both exist.
 *
 * @returns 64 lowercase hex digits.
 * @throws {@link ToolPinsError} `invalid-definition` if the value has no canonical text, for example because it
 * contains an infinity.
 *
 * @example
 * ```ts
 * import { fingerprintTool } from "@agentprint/tool-pins";
 * import { toolDefinitionHashV1 } from "@agentprint/tool-pins/judgement";
 *
 * const tool = { name: "weather", inputSchema: { type: "object" } };
 * console.log(toolDefinitionHashV1(tool) === fingerprintTool(tool).wire); // true
 * ```
 */
export function toolDefinitionHashV1(definition: JsonValue): string {
  return coded("invalid-definition", () => {
    try {
      return hashCanonical(definition);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError && error.code === "lone-surrogate")) throw error;
      const hash = hashCanonical(definition, { profile: "ecmascript" });
      requireFinite(definition);
      return hash;
    }
  });
}

/**
 * Returns the set hash of *Tool definition hash v1* for all tools, or all prompts, that a server lists, in any order.
 *
 * @param definitions - The definitions of all pages.
 * @returns 64 lowercase hex digits.
 * @throws {@link ToolPinsError} `invalid-definition` if a definition has no string `name`, or no canonical text.
 *
 * @example
 * ```ts
 * import { definitionSetHashV1 } from "@agentprint/tool-pins/judgement";
 *
 * const [read, write] = [{ name: "read" }, { name: "write" }];
 * console.log(definitionSetHashV1([read, write]) === definitionSetHashV1([write, read])); // true
 * ```
 */
export function definitionSetHashV1(definitions: readonly JsonValue[]): string {
  checkArgument("definitions", definitions, "array");
  return coded("invalid-definition", () => {
    const named = definitions.map((definition, index) => {
      const name = isJsonObject(definition) ? definition["name"] : undefined;
      if (typeof name === "string") return { name, hash: toolDefinitionHashV1(definition) };
      throw new ToolPinsError("invalid-definition", `/${index}`, 'Expected an object with a string as "name"');
    });
    return hashOfSet(named);
  });
}

/**
 * Returns the set hash of definitions whose names and hashes are known.
 *
 * @throws {@link ToolPinsError} `invalid-argument` if a name or a hash is not a string.
 *
 * @example
 * ```ts
 * import { definitionSetHashV1, setHashOf, toolDefinitionHashV1 } from "@agentprint/tool-pins/judgement";
 *
 * const tool = { name: "read" };
 * console.log(setHashOf([{ name: "read", hash: toolDefinitionHashV1(tool) }]) === definitionSetHashV1([tool])); // true
 * ```
 */
export function setHashOf(definitions: readonly { readonly name: string; readonly hash: string }[]): string {
  return coded("invalid-argument", () => {
    checkArgument("definitions", definitions, [{ name: "string", hash: "string" }]);
    return hashOfSet(definitions);
  });
}

/** Returns the set hash for names and hashes that are known to be strings. */
export function hashOfSet(definitions: readonly { readonly name: string; readonly hash: string }[]): string {
  const lines = definitions
    .toSorted((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.hash, b.hash))
    .map(({ name, hash }) => `${name}:${hash}`);
  return hashText(lines.join("\n"));
}

/**
 * Returns the instructions hash of *Tool definition hash v1*: SHA-256 of the UTF-8 bytes of a server's instructions.
 *
 * @returns 64 lowercase hex digits; `null` for a server that sends no string as instructions.
 *
 * @example
 * ```ts
 * import { instructionsHashV1 } from "@agentprint/tool-pins/judgement";
 *
 * console.log(instructionsHashV1("Read before you write.")?.length, instructionsHashV1(undefined)); // 64 null
 * ```
 */
export function instructionsHashV1(instructions: JsonValue | undefined): string | null {
  return typeof instructions === "string" ? hashText(instructions) : null;
}

/**
 * Returns the value of a JSON text as *Tool definition hash v1* reads it: lone surrogates stay, and a member name that
 * occurs twice in one object is refused, because parsers disagree about which of the two counts.
 *
 * @param text - The text of a definition or of a list of them, up to 64 MiB.
 * @throws {@link ToolPinsError} `invalid-definition` if the text is not JSON of this kind.
 *
 * @example
 * ```ts
 * import { readDefinitionV1, toolDefinitionHashV1 } from "@agentprint/tool-pins/judgement";
 *
 * console.log(toolDefinitionHashV1(readDefinitionV1('{"name":"weather"}')).length); // 64
 * ```
 */
export function readDefinitionV1(text: string): JsonValue {
  const limits = { maxDepth: Number.POSITIVE_INFINITY, maxBytes: 64 * 1024 * 1024 };
  return coded("invalid-definition", () => parseJson(text, { ...limits, tolerate: () => true, tolerateInNames: true }));
}

/** Refuses a non-finite number, which has no canonical text here: the `ecmascript` profile writes it as `null`. */
function requireFinite(root: JsonValue): void {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new ToolPinsError("invalid-definition", "", "Expected finite numbers");
    }
    if (typeof value === "object" && value !== null) for (const member of Object.values(value)) open.push(member);
  }
}
