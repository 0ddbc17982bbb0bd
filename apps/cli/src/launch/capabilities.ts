import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { InvalidArgumentError } from "commander";

const KNOWN = ["roots", "sampling", "elicitation", "tasks", "experimental"];

/** Commander argument parser: `sampling,elicitation,roots`, or the `capabilities` object of `initialize` as JSON. */
export function parseCapabilities(text: string): JsonObject {
  if (text.trimStart().startsWith("{")) return parseObject(text);
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name !== "" && !KNOWN.includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`${unknown} is none of ${KNOWN.join(", ")}; anything else as a JSON object.`);
  }
  return Object.fromEntries(names.filter((name) => name !== "").map((name) => [name, {}]));
}

function parseObject(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new InvalidArgumentError(error.message);
  }
  throw new InvalidArgumentError("expected a JSON object.");
}
