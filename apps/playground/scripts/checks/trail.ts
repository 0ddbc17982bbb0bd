import assert from "node:assert/strict";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import {
  computeTreeHead,
  createCheckpoint,
  createConsistencyProof,
  createInclusionProof,
  createNoteKeys,
  createNoteSigner,
} from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import type { Page } from "playwright-core";
import { field, openTool, pressRun, resultOf, runTool } from "../tool-page.ts";

const TRAIL = "Trail, one record a line";
const CHECKPOINT = "Checkpoint (signed note)";
const KEY = "Public key of the log";
const PROOF = "Inclusion proof (JSON)";
const OLDER = "Earlier checkpoint (signed note)";
const CONSISTENCY = "Consistency proof (JSON)";
const ORIGIN = "example.com/trail/t";

const HOSTILE = '<img src=x onerror="document.title=1"> \u202eelif_eteled\u202c \u001b[2J';

/** The page reports whether a trail is intact, shows altered places, and verifies checkpoints and proofs. */
export async function checkTrail(page: Page): Promise<void> {
  await openTool(page, "Trails");
  await page.getByRole("button", { name: "Empty the fields" }).click();
  const records = chainOf(120);
  const lines = records.map((record) => formatThoughtLine(record));
  await runTool(page, { [TRAIL]: lines.join("") });
  assert.match(await resultOf(page), /All intact: 120 records in 1 task.*Records 1 to 50 of 120/s);
  assert.ok((await resultOf(page)).includes(records[119]?.hash ?? ""));
  await page.locator(".chain > li").nth(49).waitFor();

  await page.getByText("Checkpoint that you kept").click();
  const { signerKey, verifierKey } = createNoteKeys(ORIGIN, new Uint8Array(32).fill(1));
  const head = await computeTreeHead(records.slice(0, 100));
  const note = createCheckpoint({ origin: ORIGIN, ...head }, [createNoteSigner(signerKey)]);
  await runTool(page, { [CHECKPOINT]: note, [KEY]: verifierKey });
  assert.match(await resultOf(page), /The first 100 records match the checkpoint.*The signature is valid/s);
  await page.getByRole("button", { name: "Prove record 3", exact: true }).click();
  await page.getByText("Proven: the record is among the 100 records of the checkpoint.").waitFor();
  assert.ok(((await page.locator(".chain pre").textContent()) ?? "").includes(records[2]?.hash ?? ""));

  const proof = await createInclusionProof(
    records.map(({ hash }) => hash),
    7,
    100,
  );
  await page.getByText("Inclusion proof that you were given").click();
  for (const [recordHash, says] of [
    [records[7]?.hash, "The proof holds: it is record 8 of the checkpoint."],
    [records[8]?.hash, "The proof does not hold."],
  ]) {
    await field(page, PROOF).fill(JSON.stringify({ recordHash, ...proof }));
    await page.getByRole("button", { name: "Verify the proof" }).click();
    await page.getByText(String(says)).waitFor();
  }

  await page.getByText("Consistency proof that you were given").click();
  const older = createCheckpoint({ origin: ORIGIN, ...(await computeTreeHead(records.slice(0, 40))) }, [
    createNoteSigner(signerKey),
  ]);
  const consistency = await createConsistencyProof(
    records.map(({ hash }) => hash),
    40,
    100,
  );
  await field(page, OLDER).fill(older);
  for (const [hashes, says] of [
    [consistency.hashes, "The proof holds: the 100 records of the checkpoint begin with the 40 of the earlier one."],
    [consistency.hashes.toReversed(), "The proof does not hold."],
  ] as const) {
    await field(page, CONSISTENCY).fill(JSON.stringify({ ...consistency, hashes }));
    await page.getByRole("button", { name: "Verify the consistency proof" }).click();
    await page
      .locator("details", { has: field(page, OLDER) })
      .getByText(says)
      .waitFor();
  }

  await field(page, TRAIL).fill(
    lines.map((line, at) => (at === 70 ? line.replace("thought 70", "thought 71") : line)).join(""),
  );
  await pressRun(page);
  assert.match(await resultOf(page), /problems? in 120 records.*does not have the 100 records/s);
  assert.match((await page.locator(".chain > li.bad").first().textContent()) ?? "", /Altered/);
  await page.getByRole("button", { name: "Next problem" }).click();
  await page.locator('[data-at="70"]:focus').waitFor();
  await runTool(page, { [KEY]: "nobody+1+2" });
  assert.match(await resultOf(page), /invalid-key/);
  await runTool(page, { [KEY]: "", [CHECKPOINT]: "", [TRAIL]: "{}\nno JSON\n\n[" });
  assert.match(await resultOf(page), /problems in 4 records/);
  await runTool(page, {
    [TRAIL]: lines.map((line, at) => (at === 3 ? line.replace("thought 3", "thought 4") : line)).join(""),
  });
}

function chainOf(length: number): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < length; index++) {
    const content = index % 10 === 5 ? HOSTILE : `thought ${index}`;
    const fields = { task_id: "t", agent_id: "planner", type: "plan", content } as const;
    const sources = { id: `r${index}`, now: "2026-04-01T12:00:00.000Z" };
    records.push(createThought(fields, records.at(-1) ?? null, sources));
  }
  return records;
}
