import { isObject, isSha256Hex, typeName } from "@agentprint/canonical-json";
import { CapabilityError, type CapabilityErrorCode } from "../errors.ts";

type Path = readonly (string | number)[];

/** Reads the members of a value that `JSON.parse` returned. A malformed member causes an error with its path. */
export class UntrustedJson {
  readonly #code: CapabilityErrorCode;
  readonly #subject: string;

  /** @param subject - The name of the value in messages. */
  constructor(code: CapabilityErrorCode, subject: string) {
    this.#code = code;
    this.#subject = subject;
  }

  object(value: unknown, path: Path): { readonly [name: string]: unknown } {
    if (isObject(value)) return value;
    throw this.mismatch(path, "an object", value);
  }

  list(value: unknown, path: Path): unknown[] {
    if (Array.isArray(value)) return value;
    throw this.mismatch(path, "an array", value);
  }

  text(value: unknown, path: Path): string {
    if (typeof value === "string") return value;
    throw this.mismatch(path, "a string", value);
  }

  name(value: unknown, path: Path): string {
    if (typeof value === "string" && value !== "") return value;
    throw this.mismatch(path, "a non-empty string", value);
  }

  digest(value: unknown, path: Path): string {
    if (isSha256Hex(value)) return value;
    throw this.mismatch(path, "64 lowercase hex digits", value);
  }

  /** Returns the error for a value of an unexpected kind. */
  mismatch(path: Path, expected: string, value: unknown): CapabilityError {
    return this.refusal(path, `expected ${expected}, received ${typeName(value)}`);
  }

  /** Returns the error for a place, with its path. */
  refusal(path: Path, problem: string): CapabilityError {
    const where = path.length === 0 ? "" : `, ${path.join(".")}`;
    return new CapabilityError(this.#code, `${this.#subject}${where}: ${problem}`, { path });
  }
}
