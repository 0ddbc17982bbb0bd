import { completable, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Principal } from "./access/principal.ts";
import type { Services } from "./services.ts";
import { visibleTasks } from "./trail-resource.ts";

const MAX_COMPLETIONS = 100;

/** Offers the prompt `decision_log`, which teaches a model to keep a task's decision log. */
export function addDecisionLogPrompt(server: McpServer, services: Services, principal: Principal): void {
  const task = z.string().min(1).max(512).describe("The name of the task whose decisions are recorded.");
  const argsSchema = z.strictObject({
    task_id: completable(task, (value) => visibleTasks(services, principal, value ?? "", MAX_COMPLETIONS)),
  });
  const about = {
    title: "Keep a decision log",
    description: "Teaches a model to record its thoughts as it works on a task.",
  };
  server.registerPrompt("decision_log", { ...about, argsSchema }, ({ task_id }) => ({
    description: about.description,
    messages: [{ role: "user", content: { type: "text", text: instructions(task_id) } }],
  }));
}

function instructions(task: string): string {
  const name = JSON.stringify(task);
  return `Keep a decision log of the task ${name} while you work on it. Others read it to understand and check what you did, so write for someone who was not there.

Before you begin, call thought_list with task_id ${name} and read what is recorded already.

Then call thought_record with task_id ${name}:
- type "plan" before you act: what you are about to do, in which order, and how you will know that it worked.
- type "analysis" when you have learned something that matters: what you saw, and what follows from it.
- type "decision" each time you choose: what you chose, which alternatives there were, and why you did not take them.
- type "reflection" at the end, and after a mistake: what did not go as planned, and what you would do differently.

Record one thought per call, at the time of the thought and not afterwards. One to five plain sentences are enough. Name files,
commands and figures exactly. Say what you are unsure about. Never record passwords, keys or personal data: no record can be changed
or removed. If you were wrong, record a new thought that says so.

If a call fails or you do not know whether it arrived, repeat it with the same id and the same content: nothing is recorded twice.

When you are done, call audit_verify_chain with task_id ${name}, tell the user whether the log is intact and how many records it has,
and offer audit_checkpoint, whose note the user should keep elsewhere.`;
}
