import { type ArgumentCheck, type ArgumentForm, argumentCheck } from "@agentprint/canonical-json/json-value";
import { CapabilityError, type CapabilityErrorDetails } from "./errors.ts";

/** Refuses an argument that does not have the named form, with the error `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new CapabilityError("invalid-argument", message),
);

/** Refuses a value that is not a non-empty string. */
export function requireName(what: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw invalid(what, "a non-empty string", value);
}

/** Refuses a value that is not a function. */
export function requireFunction(what: string, value: unknown): void {
  if (typeof value !== "function") throw invalid(what, "a function", value);
}

/** Refuses an option with an unknown value: a misspelt option must not silently mean the default. */
export function requireOption(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value)) throw invalid(name, `one of ${allowed.join(", ")}`, value);
}

/** Returns a frozen copy of an optional list of strings. */
export function copyLines(what: string, value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((line) => typeof line === "string")) {
    throw invalid(what, "an array of strings", value);
  }
  return Object.freeze([...value]);
}

/** Returns an `invalid-argument` error that names the expected and the received kind of value. */
export function invalid(
  what: string,
  expected: string,
  received: unknown,
  details: CapabilityErrorDetails = {},
): CapabilityError {
  const shown = typeof received === "string" ? JSON.stringify(received) : kindOf(received);
  return new CapabilityError("invalid-argument", `${what}: expected ${expected}, received ${shown}`, details);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array of something else" : typeof value;
}

/** The part of a capability link that every comparison reads. */
export const LINK: ArgumentForm = { toolRefs: ["object"], opaqueSchemas: "array?" };

/** The part of a snapshot that every comparison reads. */
export const SNAPSHOT: ArgumentForm = { link: LINK, tools: ["object"], opaqueSchemas: "array" };
