import { parseJson } from "@agentprint/canonical-json";
import { createLock, formatLock, lockServer } from "@agentprint/mcp-lock";
import { createStatement, signStatement } from "@agentprint/statement";
import { answersOf } from "@agentprint/testing/lock/offer";
import { author } from "@agentprint/testing/statement/author";
import {
  computeTreeHead,
  createCheckpoint,
  createConsistencyProof,
  createInclusionProof,
  createNoteKeys,
  createNoteSigner,
} from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { describe, expect, test } from "vitest";
import { STORIES } from "../src/stories/stories.ts";

const file = (name: string): string => `../src/stories/signed/${name}`;
const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The responses of a server whose tool moves a file. */
function filesOf(version: string, schema: unknown) {
  const inputSchema = parseJson(String(schema)) as Record<string, never>;
  const tool = { name: "move_file", description: "Moves a file to another folder", inputSchema };
  return answersOf([tool], { serverInfo: { name: "files", version } });
}

describe("the files of the example", () => {
  test("of a statement are the texts that an author and users of the server write", async () => {
    const [first, second] = [filesOf("1.2.0", STORIES.schemas.before), filesOf("2.0.0", STORIES.schemas.after)];
    await expect(formatLock(createLock({ files: first }))).toMatchFileSnapshot(file("before.lock"));
    await expect(formatLock(createLock({ files: second }))).toMatchFileSnapshot(file("release.lock"));
    const statement = createStatement({
      entry: lockServer("files", second),
      version: "2.0.0",
      before: { entry: lockServer("files", first), version: "1.2.0" },
      issued: new Date("2026-01-31"),
      expires: new Date("2027-01-31"),
    });
    await expect(signStatement(statement, author)).toMatchFileSnapshot(file("statement.txt"));
    expect(STORIES.statement.keys).toBe(author.publicKey);
  });

  test("of a trail are what its log signed before a record was altered", async () => {
    const { origin } = STORIES.trail;
    const lines = String(STORIES.trail.trail).replace(
      "draft.txt to archive/draft.txt",
      "salaries.txt to public/salaries.txt",
    );
    const records = lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ThoughtRecord);
    const hashes = records.map(({ hash }) => hash);
    const { signerKey, verifierKey } = createNoteKeys(String(origin), new Uint8Array(32).fill(1));
    const noteOf = async (size: number): Promise<string> =>
      createCheckpoint({ origin: String(origin), ...(await computeTreeHead(records.slice(0, size))) }, [
        createNoteSigner(signerKey),
      ]);
    await expect(await noteOf(4)).toMatchFileSnapshot(file("checkpoint.txt"));
    await expect(await noteOf(2)).toMatchFileSnapshot(file("older.txt"));
    const inclusion = { recordHash: hashes[2], ...(await createInclusionProof(hashes, 2, 4)) };
    await expect(asJson(inclusion)).toMatchFileSnapshot(file("inclusion.txt"));
    await expect(asJson(await createConsistencyProof(hashes, 2, 4))).toMatchFileSnapshot(file("consistency.txt"));
    expect(STORIES.trail.key).toBe(verifierKey);
  });
});
