import { prepareLaunch } from "@agentprint/artifacts";

/**
 * Prepares the launch that is given as JSON in a separate process, prints the result or the error, and ends when its
 * input ends.
 */
const { words, store, cwd, locked } = JSON.parse(process.argv[2] ?? "");
const [command, ...args] = words;
const launch = { type: "stdio" as const, command, args, env: [] };
try {
  const prepared = await prepareLaunch(launch, { cwd, env: process.env }, { store, ...(locked && { locked }) });
  console.log(JSON.stringify(prepared));
} catch (error) {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  console.log(JSON.stringify({ error: { code, message } }));
}
process.stdin.resume();
