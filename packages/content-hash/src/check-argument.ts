import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import { ContentHashError } from "./errors.ts";

/** Refuses an argument that does not have the expected form, with `INVALID_ARGUMENT`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new ContentHashError("INVALID_ARGUMENT", message),
);
