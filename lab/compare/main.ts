/** `pnpm --filter lab compare`: measures the installed agentprint and its peers, and writes `docs/compare.md`. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { MACHINE } from "../bench/machine.ts";
import { installMcpPin, MCP_PIN_VERSION } from "../corpus/src/install.ts";
import { readResults } from "../corpus/src/results.ts";
import { type Compared, writeCompared } from "./compared.ts";
import { compareLibraries } from "./libraries.ts";
import { comparePage } from "./page.ts";
import { compareFeatures, comparePrograms } from "./programs.ts";

const ROOT = new URL("../../", import.meta.url);

const python = await installMcpPin();
const compared: Compared = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
  machine: MACHINE,
  libraries: await compareLibraries(python),
  programs: comparePrograms(python, MCP_PIN_VERSION),
  features: compareFeatures(python),
};
writeCompared(compared);
const matrix = readFileSync(new URL("fixtures/MATRIX.md", ROOT), "utf8");
writeFileSync(new URL("docs/compare.md", ROOT), comparePage(compared, readResults(), matrix));
