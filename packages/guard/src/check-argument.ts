import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import { GuardError } from "./errors.ts";

/** Refuses an argument that does not have the expected form, with `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new GuardError("invalid-argument", message),
);
