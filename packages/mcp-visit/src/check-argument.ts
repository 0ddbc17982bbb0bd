import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import { VisitError } from "./errors.ts";
import type { VisitTarget } from "./target.ts";

/** Refuses an argument that does not have the given form, with `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(
  (message) => new VisitError("invalid-argument", message),
);

export function checkTarget(name: string, target: VisitTarget): void {
  checkArgument(name, target, { type: "string" });
  const isHttp = target.type === "http";
  checkArgument(
    name,
    target,
    isHttp ? { url: "string", headers: "object" } : { command: "string", args: "array", env: "object" },
  );
}
