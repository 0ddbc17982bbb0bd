// Runs one process in an agent's life: `pause` records a run, and `resume` checks it. Prints the outcome as JSON.
import { checkResume, fingerprintSpec, hashSpec } from "@agentprint/drover";
import { openLibsqlStorage } from "../../examples/libsql-storage.ts";

const [action, url = "", systemPrompt = "", strong] = process.argv.slice(2);
const spec = { id: "writer", systemPrompt, tools: ["read", "bash"] };
const storage = await openLibsqlStorage(url);
if (action === "pause") {
  await storage.createRun({
    id: "run_1",
    agentId: spec.id,
    specHash: hashSpec(spec),
    specFingerprint: strong === "strong" ? fingerprintSpec(spec) : null,
    status: "paused",
    input: "An essay",
    startedAt: Date.now(),
    tokensIn: 10,
    tokensOut: 20,
    costUsd: 0.01,
  });
  await storage.saveCheckpoint({ runId: "run_1", seq: 1, messages: ["Hello."] });
  await storage.saveCheckpoint({ runId: "run_1", seq: 2, messages: ["Hello.", "Go on."] });
  console.log(JSON.stringify({ paused: true }));
} else {
  const result = await checkResume(spec, "run_1", { storage });
  console.log(JSON.stringify(result.ok ? result : { ok: false, message: result.error.message }));
}
storage.close();
