import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json";
import { JsonSchemaError } from "./errors.ts";

/** Refuses an argument that does not have the named form: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new JsonSchemaError("invalid-argument", "", message),
);
