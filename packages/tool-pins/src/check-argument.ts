import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json";
import { ToolPinsError } from "./errors.ts";

/** Refuses an argument that does not have the named form, with the error `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message: string) => new ToolPinsError("invalid-argument", "", message),
);
