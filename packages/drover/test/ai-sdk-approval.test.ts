import { generateText, type ModelMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { approve, createSettings, pauseForApproval } from "../examples/ai-sdk-approval.ts";
import { deletingModel as model } from "./support/deleting-model.ts";

test("an approval that waited through a restart is given to the agent that requested it", async () => {
  const text = await pauseForApproval(createSettings(model()), "chat_1", "Tidy up.");
  const deleted: string[] = [];
  expect(await approve(createSettings(model(), { deleted }), "chat_1", text)).toBe("Done.");
  expect(deleted).toEqual(["a.txt"]);
});

const wider = z.string().max(999);

test("a tool with another schema is refused with the JSON Pointer of the change, and is not called", async () => {
  const text = await pauseForApproval(createSettings(model()), "chat_1", "Tidy up.");
  const deleted: string[] = [];
  await expect(approve(createSettings(model(), { path: wider, deleted }), "chat_1", text)).rejects.toMatchObject({
    name: "ResumeError",
    code: "spec-drift",
    runId: "chat_1",
    fields: ["tools"],
    pointers: expect.arrayContaining(["/tools/delete_file/inputSchema/~0standard/input/properties/path/maxLength"]),
  });
  expect(deleted).toEqual([]);
});

test("the AI SDK itself calls the changed tool", async () => {
  const text = await pauseForApproval(createSettings(model()), "chat_1", "Tidy up.");
  const messages = JSON.parse(text).state as ModelMessage[];
  const deleted: string[] = [];
  const { tools } = createSettings(model(), { path: wider, deleted });
  const [request] = JSON.stringify(messages).match(/(?<="approvalId":")[^"]+/) ?? [];
  const answer = [{ type: "tool-approval-response", approvalId: String(request), approved: true } as const];
  await generateText({
    model: model(),
    tools: tools ?? {},
    messages: [...messages, { role: "tool", content: answer }],
  });
  expect(deleted).toEqual(["a.txt"]);
});
