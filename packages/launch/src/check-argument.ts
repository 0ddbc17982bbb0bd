import { type ArgumentCheck, argumentCheck } from "@agentprint/canonical-json/json-value";
import type { Launch } from "./launch.ts";

/** Refuses an argument that does not have the named form: `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck();

export function checkLaunch(name: string, launch: Launch): void {
  checkArgument(name, launch, { type: "string" });
  const isHttp = launch.type === "http";
  checkArgument(
    name,
    launch,
    isHttp ? { url: "string", headers: ["string"] } : { command: "string", args: ["string"], env: ["string"] },
  );
}
