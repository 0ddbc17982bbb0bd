import { typeName } from "./arguments/type-name.ts";
import { CanonicalJsonError } from "./errors.ts";

/** Returns whether a value is a `Uint8Array`, including one from another realm. */
export function isBytes(data: unknown): data is Uint8Array {
  return (
    data instanceof Uint8Array ||
    (ArrayBuffer.isView(data) && Object.prototype.toString.call(data) === "[object Uint8Array]")
  );
}

/** Returns the error for an argument that should be bytes, or bytes or text, and is something else. */
export function invalidData(name: string, expected: string, received: unknown): CanonicalJsonError {
  return new CanonicalJsonError(
    "invalid-argument",
    "",
    `${name}: expected ${expected}, received ${typeName(received)}`,
  );
}
