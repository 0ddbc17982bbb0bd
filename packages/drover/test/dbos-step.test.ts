import { checkSpecStep, type DbosSteps } from "@agentprint/drover/dbos";
import { expect, test } from "vitest";

/** Replays steps from the record, as DBOS does; test/slow/ uses DBOS itself. */
function workflowOn(recorded: Map<string, string>): DbosSteps {
  return {
    workflowID: "run_1",
    runStep: async (step, { name }) => {
      if (!recorded.has(name)) recorded.set(name, JSON.stringify(await step()));
      return JSON.parse(String(recorded.get(name)));
    },
  };
}

test("a workflow is checked against the spec that its first run recorded", async () => {
  const recorded = new Map<string, string>();
  const spec = { id: "writer", systemPrompt: "Write.", skills: ["essay"] };
  const check = (systemPrompt: string) => checkSpecStep(workflowOn(recorded), { ...spec, systemPrompt });
  expect(await check("Write.")).toMatchObject([{ code: "skills-by-name" }]);
  expect(await check("Write.")).toMatchObject([{ code: "skills-by-name" }]);
  await expect(check("Rewrite.")).rejects.toMatchObject({
    code: "spec-drift",
    runId: "run_1",
    pointers: ["/systemPrompt"],
  });
  recorded.set("agentprint.recordSpec", "null");
  await expect(check("Write.")).rejects.toMatchObject({ code: "fingerprint-not-found" });
});
