/** Builds the commit that `pnpm bench --gate` compares with, so that the gate finds it built: `pnpm --filter lab base`. */
import { ROOT } from "../loaded-projects.ts";
import { openGate } from "./open-gate.ts";

console.log(openGate(ROOT, false).description);
