import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import { ToolPinsError } from "./errors.ts";

/** Refuses an argument that has not the form that is named: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message: string) => new ToolPinsError("invalid-argument", "", message),
);
