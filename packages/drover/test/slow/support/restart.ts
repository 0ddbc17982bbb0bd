// Runs one process in the life of a run that waits for an approval: `pause` leaves the run on disk, and `resume`
// approves it with the current tool. Prints the outcome as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ResumeError } from "@agentprint/drover";
import { Mastra } from "@mastra/core";
import { LibSQLStore } from "@mastra/libsql";
import { z } from "zod";
import * as aiSdk from "../../../examples/ai-sdk-approval.ts";
import * as mastra from "../../../examples/mastra-approval.ts";
import { deletingModel } from "../../support/deleting-model.ts";
import { deleteFile, editorOf, keeper } from "./mastra-agents.ts";

/** Functions that pause and resume a framework's run. */
interface Framework {
  /** Returns a promise of the text to keep. */
  readonly pause: () => Promise<string>;
  /** Returns a promise of the agent's answer. */
  readonly resume: (kept: string) => Promise<string>;
}

const [framework = "", action, folder = "", path] = process.argv.slice(2);
const schema = path === "changed" ? z.string().max(999) : z.string();
const deleted: string[] = [];

function withAiSdk(): Framework {
  const settings = aiSdk.createSettings(deletingModel(), { path: schema, deleted });
  return {
    pause: () => aiSdk.pauseForApproval(settings, "run_1", "Tidy up."),
    resume: (kept) => aiSdk.approve(settings, "run_1", kept),
  };
}

function withMastra(): Framework {
  const tool = deleteFile({
    inputSchema: z.object({ path: schema }),
    execute: async (input: { readonly path: string }) => `deleted ${deleted.push(input.path)}`,
  });
  const agent = keeper({ tools: { delete_file: tool } });
  const storage = new LibSQLStore({ id: "runs", url: `file:${join(folder, "runs.db")}` });
  const program = new Mastra({ agents: { keeper: agent }, storage, editor: editorOf(() => agent), logger: false });
  return {
    pause: async () => JSON.stringify(await mastra.startRun(program, "keeper", "Tidy up.")),
    resume: (kept) => mastra.approve(program, "keeper", JSON.parse(kept)),
  };
}

async function outcome({ pause, resume }: Framework): Promise<object> {
  const file = join(folder, "run.json");
  if (action === "pause") {
    writeFileSync(file, await pause());
    return { deleted };
  }
  try {
    return { answer: await resume(readFileSync(file, "utf8")), deleted };
  } catch (error) {
    if (!(error instanceof ResumeError)) throw error;
    const { code, pointers } = error;
    return { code, pointers, deleted };
  }
}

console.log(JSON.stringify(await outcome(framework === "mastra" ? withMastra() : withAiSdk())));
// The process is ended explicitly, because a framework may keep its own timers.
process.exit();
