import { SpecError } from "../errors.ts";
import { kindOf } from "./description.ts";

/** Returns the `invalid-spec` error for an adapter's argument of the wrong kind. */
export function wrongArgument(adapter: string, expected: string, received: unknown): SpecError {
  return new SpecError("invalid-spec", "", `${adapter}: expected ${expected}; received ${kindOf(received)}`);
}
