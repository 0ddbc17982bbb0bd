import { SpecError } from "../errors.ts";
import { kindOf } from "./description.ts";

/** Returns the `invalid-spec` error for an argument of an adapter that is not what the adapter describes. */
export function wrongArgument(adapter: string, expected: string, received: unknown): SpecError {
  return new SpecError("invalid-spec", "", `${adapter}: expected ${expected}; received ${kindOf(received)}`);
}
