import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";

/** Refuses an argument that has not the form that is named: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck();
