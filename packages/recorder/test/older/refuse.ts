// Exits with 0 if the entry point for a framework refuses the installed version, and prints the error.
// `scripts/peers.ts` runs it with versions that lack the hooks: the first argument is the framework.
import type { Recorder } from "../../src/index.ts";
import { RecorderError } from "../../src/index.ts";

const recorder = {} as Recorder;

/** The code that a program would use to be recorded. */
const LINES: Readonly<Record<string, () => Promise<unknown>>> = {
  ai: async () => (await import("../../src/adapters/ai-sdk.ts")).recordingTelemetry(recorder),
  "@openai/agents": async () => (await import("../../src/adapters/openai-agents.ts")).recordingRunner(recorder),
  "@mastra/core": async () => {
    const [{ Agent }, { recordAgent }] = await Promise.all([
      import("@mastra/core/agent"),
      import("../../src/adapters/mastra.ts"),
    ]);
    recordAgent(new Agent({ id: "planner", name: "Planner", instructions: "Plan.", model: "openai/gpt-5" }), recorder);
  },
};

const [framework = ""] = process.argv.slice(2);
try {
  await LINES[framework]?.();
} catch (error) {
  if (!(error instanceof RecorderError) || error.code !== "unsupported") throw error;
  console.log(error.message);
  process.exit();
}
throw new Error(`${framework} was not refused`);
