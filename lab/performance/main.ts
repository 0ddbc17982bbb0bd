/**
 * `pnpm --filter lab performance [plot …]`: measures processor time by size, and writes the pictures in
 * docs/performance.md. Each plot is measured in its own process.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { MACHINE } from "../bench/machine.ts";
import { drawPlot, THEMES } from "./draw.ts";
import { type Measured, measurePlot } from "./measure-line.ts";
import { PLOTS } from "./plots.ts";

const PICTURES = new URL("../../docs/pictures/", import.meta.url);
/** Values with a million keys need a large heap; values a million levels deep need no larger stack. */
const NODE_OPTIONS = ["--max-old-space-size=6144"];

const [mode, ...names] = process.argv.slice(2);
if (mode === "--one") {
  const plot = PLOTS.find(({ name }) => name === names[0]);
  if (plot === undefined) throw new Error(`no plot is named ${names[0]}`);
  console.log(JSON.stringify(await measurePlot(plot)));
} else {
  const chosen = PLOTS.filter(({ name }) => mode === undefined || [mode, ...names].includes(name));
  for (const plot of chosen) {
    const script = fileURLToPath(import.meta.url);
    const args = [...NODE_OPTIONS, ...process.execArgv, script, "--one", plot.name];
    const { status, stdout } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`${plot.name} could not be measured`);
    write(plot.name, JSON.parse(stdout) as Measured[]);
  }
}

function write(name: string, lines: readonly Measured[]): void {
  const plot = PLOTS.find((each) => each.name === name) as (typeof PLOTS)[number];
  const note = `${MACHINE}; least of several rounds; load ${loadavg()[1]?.toFixed(1)} in five minutes`;
  for (const theme of THEMES) {
    writeFileSync(new URL(`performance-${name}-${theme.name}.svg`, PICTURES), drawPlot(plot, lines, note, theme));
  }
  for (const { name: line, points } of lines) {
    console.log(`${name}, ${line}: ${points.map(([size, ns]) => `${size}: ${ns.toPrecision(3)}`).join(", ")}`);
  }
}
