import { spawn } from "node:child_process";

/** Computes endlessly, but ends with the process that started it, because its input then closes. */
const SPIN = `
process.stdin.resume().on("close", () => process.exit());
const spin = () => {
  for (const end = Date.now() + 100; Date.now() < end; );
  setImmediate(spin);
};
spin();`;

/** Starts processes that each keep a core busy; returns a function that ends them. */
export function startBusyProcesses(count: number): () => void {
  const children = Array.from({ length: count }, () => {
    return spawn(process.execPath, ["-e", SPIN], { stdio: ["pipe", "ignore", "ignore"] });
  });
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
