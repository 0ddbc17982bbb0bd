import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import { RegistryClientError } from "./errors.ts";

/** Refuses an argument that does not have the named form, with the error `invalid-option`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new RegistryClientError("invalid-option", message),
);
