import { type ArgumentCheck, type ArgumentForm, argumentCheck } from "@agentprint/canonical-json/json-value";
import { RecorderError } from "./errors.ts";

/** Refuses an argument that does not have the given form, with `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new RecorderError("invalid-argument", message),
);

/** The part of a recorder that the adapters read first. */
export const RECORDER: ArgumentForm = { onClosing: "function" };
