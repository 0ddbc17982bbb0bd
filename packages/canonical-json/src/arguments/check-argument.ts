import { type ArgumentCheck, argumentCheck } from "./argument-check.ts";

/** Refuses an argument that has not the form that is named: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck();
