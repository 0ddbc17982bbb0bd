import { type ArgumentCheck, type ArgumentForm, argumentCheck } from "@agentprint/canonical-json/json-value";
import { ManifestError } from "./errors.ts";

/** Refuses an argument that does not have the named form: `INVALID_ARGUMENT`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new ManifestError("INVALID_ARGUMENT", "", message),
);

/** The part of a manifest that every function reads. */
export const MANIFEST: ArgumentForm = {
  tools: ["object"],
  permission_scopes: ["object"],
  capability_flags: "object",
};
