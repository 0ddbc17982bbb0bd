import { CanonicalJsonError } from "./errors.ts";

/**
 * Refuses what is no object, and names that no function knows: a misspelt option must not silently be the default. The
 * options of all functions may stand in one object. Nothing is allocated, because this runs in every call with options.
 */
export function checkNames(options: object): void {
  if (typeof options !== "object" || options === null) throw invalidOption("options", "an object", options);
  for (const name in options) {
    if (!isOption(name) && Object.hasOwn(options, name)) {
      throw invalidOption("options", "only profile, keyOrder, maxDepth, losslessIntegers and maxBytes", name);
    }
  }
}

function isOption(name: string): boolean {
  switch (name) {
    case "profile":
    case "keyOrder":
    case "maxDepth":
    case "losslessIntegers":
    case "maxBytes":
      return true;
    default:
      return false;
  }
}

export function invalidOption(option: string, expected: string, received: unknown): CanonicalJsonError {
  return new CanonicalJsonError("invalid-option", "", `${option}: expected ${expected}, received ${show(received)}`);
}

/** Never calls a method of the value, which could throw. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object(value) === value ? `a value of type ${typeof value}` : String(value);
}
