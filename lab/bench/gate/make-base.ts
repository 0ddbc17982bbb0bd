/**
 * Builds the commit that `pnpm bench --gate` compares with, so that the gate need not build it: `pnpm --filter lab
 * base`.
 */
import { ROOT } from "../loaded-projects.ts";
import { openGate } from "./open-gate.ts";

console.log(openGate(ROOT, false).description);
