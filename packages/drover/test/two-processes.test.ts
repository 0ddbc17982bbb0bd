import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkResume, hashSpec } from "@agentprint/drover";
import { verifyChain } from "@agentprint/trail/chain";
import { afterAll, describe, expect, test } from "vitest";
import { acceptDrift } from "../examples/accept-drift.ts";
import { openLibsqlStorage } from "../examples/libsql-storage.ts";
import { runnerOf } from "./support/another-process.ts";

const inAnotherProcess = runnerOf(new URL("support/pause-or-resume.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "drover-"));
afterAll(() => rmSync(folder, { recursive: true }));
let databases = 0;
const database = (): string => `file:${join(folder, `${databases++}.db`)}`;

describe("paused in one process, resumed in another", () => {
  const url = database();

  test("an unchanged agent resumes from its newest checkpoint", () => {
    expect(inAnotherProcess("pause", url, "Mode: Aa.")).toEqual({ paused: true });
    expect(inAnotherProcess("resume", url, "Mode: Aa.")).toMatchObject({
      ok: true,
      run: { id: "run_1", status: "paused" },
      checkpoint: { seq: 2, messages: ["Hello.", "Go on."] },
    });
  });

  test("an edited prompt is refused", () => {
    const { ok, message } = inAnotherProcess("resume", url, "Edited.");
    expect(ok).toBe(false);
    expect(message).toMatch(
      /^spec drift on agent "writer": recorded hash [0-9a-f]{1,8}, current hash [0-9a-f]{1,8}\. /,
    );
  });

  test("specs with one 32-bit hash have different strong fingerprints", () => {
    expect(inAnotherProcess("resume", url, "Mode: BB.")).toMatchObject({ ok: true });
    const strong = database();
    inAnotherProcess("pause", strong, "Mode: Aa.", "strong");
    expect(inAnotherProcess("resume", strong, "Mode: Aa.")).toMatchObject({ ok: true });
    expect(inAnotherProcess("resume", strong, "Mode: BB.")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/Changed fields: systemPrompt\.$/),
    });
  });
});

describe("accepting a drift", () => {
  test("makes a new run under the new spec and puts on record who did it", async () => {
    const url = database();
    inAnotherProcess("pause", url, "Write.", "strong");
    const storage = await openLibsqlStorage(url);
    const edited = { id: "writer", systemPrompt: "Write well.", tools: ["read", "bash"] };
    const { run, record } = await acceptDrift("run_1", edited, { storage, acceptedBy: "mira@example.com", head: null });

    expect(run).toMatchObject({ specHash: hashSpec(edited), status: "paused", tokensIn: 10, input: "An essay" });
    expect(await checkResume(edited, run.id, { storage })).toMatchObject({
      ok: true,
      checkpoint: { seq: 2, runId: run.id },
    });
    expect(await checkResume(edited, "run_1", { storage })).toMatchObject({ ok: false });
    expect(JSON.parse(record.content)).toMatchObject({
      acceptedBy: "mira@example.com",
      from: "run_1",
      to: run.id,
      was: { spec32: expect.stringMatching(/^[0-9a-f]{1,8}$/), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      is: { spec32: run.specHash, sha256: run.specFingerprint?.sha256 },
      drift: [{ field: "systemPrompt", kind: "changed" }],
    });
    expect(await verifyChain([record])).toMatchObject({ ok: true, length: 1 });

    await expect(
      acceptDrift(run.id, edited, { storage, acceptedBy: "mira@example.com", head: record }),
    ).rejects.toThrow("no drift to accept");
    storage.close();
  });
});
