import { type ArgumentCheck, type ArgumentForm, argumentCheck } from "@agentprint/canonical-json/json-value";
import { PolicyError } from "./errors.ts";

/** Refuses an argument that does not have the named form: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new PolicyError("invalid-argument", "", message),
);

/** The part of a policy that every function reads. */
export const POLICY: ArgumentForm = { preset: "string", rules: "object", ignores: "array", servers: "object" };
