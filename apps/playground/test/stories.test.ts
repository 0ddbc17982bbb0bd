import { listSuites, loadSuite } from "@agentprint/golden-vectors";
import { describe, expect, test } from "vitest";
import { canonicalJob } from "../src/jobs/canonical-job.ts";
import { compareJob } from "../src/jobs/compare-job.ts";
import { type ConsistencyInput, consistencyJob } from "../src/jobs/consistency-job.ts";
import { openedInput } from "../src/jobs/opened-input.ts";
import { type GivenProofInput, givenProofJob } from "../src/jobs/proof-job.ts";
import { schemasJob } from "../src/jobs/schemas-job.ts";
import { type StatementInput, statementJob } from "../src/jobs/statement-job.ts";
import { textJob } from "../src/jobs/text-job.ts";
import { type TrailInput, trailJob } from "../src/jobs/trail-job.ts";
import { formatFragment, parseFragment } from "../src/share/fragment.ts";
import { STORIES } from "../src/stories/stories.ts";

describe("the example", () => {
  test("of canonical texts differs in one value", async () => {
    expect(await canonicalJob(STORIES.canonical)).toMatchObject({ difference: { changes: 1, pointer: "/paths/1" } });
  });

  test("of manifests has a breaking change of move_file", async () => {
    const { before, after } = STORIES.compare;
    expect(await compareJob({ before, after })).toMatchObject({ summary: expect.stringContaining("1 breaking") });
    const { findings } = await compareJob({ before, after: String(after).replace(/,\s*"replace"\s*\]/, "]") });
    expect(findings[0]).toMatchObject({ note: "every call that was valid is still valid" });
  });

  test("of schemas has a counterexample, and is compatible once the change is made", async () => {
    const story = STORIES.schemas;
    expect(await schemasJob(story)).toMatchObject({
      verdict: "breaking",
      counterexample: { value: '{"destination":"a","source":"a"}', acceptedBy: "before" },
    });
    const after = String(story.after).replace(/,\s*"replace"\s*\]/, "]");
    expect(await schemasJob({ ...story, after })).toMatchObject({ verdict: "compatible" });
  });

  test("of a trail has one altered record, and matches the checkpoint once it is put back", async () => {
    const story = STORIES.trail as TrailInput;
    expect(await trailJob(story, () => {})).toMatchObject({
      ok: false,
      problems: [{ kind: "altered", at: 2 }],
      anchor: { fits: false },
    });
    const trail = String(story.trail).replace("draft.txt to archive/draft.txt", "salaries.txt to public/salaries.txt");
    expect(await trailJob({ ...story, trail }, () => {})).toMatchObject({
      ok: true,
      records: 4,
      anchor: { fits: true, isSigned: true },
    });
  });

  test("of proofs holds, and does not once they are changed", () => {
    const inclusion = STORIES.trail as GivenProofInput;
    expect(givenProofJob(inclusion)).toEqual({ holds: true, isSigned: true, index: 2 });
    const proof = inclusion.proof.replace('"index": 2', '"index": 1');
    expect(givenProofJob({ ...inclusion, proof })).toMatchObject({ holds: false });
    const consistency = STORIES.trail as ConsistencyInput;
    expect(consistencyJob(consistency)).toEqual({ holds: true, isSigned: true, oldSize: 2, newSize: 4 });
    expect(consistencyJob({ ...consistency, checkpoint: consistency.older })).toMatchObject({ holds: false });
  });

  test("of a statement proves all but that it is the newest, and nothing once a letter is replaced", async () => {
    const story = STORIES.statement;
    expect(await statementJob(story as StatementInput)).toMatchObject({
      outcome: "partly",
      parts: { signature: "proven", times: "proven", definitions: "proven", verdict: "proven", order: "open" },
      findings: [],
      stated: { server: "files", version: "2.0.0", verdict: { level: "major", against: "1.2.0" } },
    });
    const statement = String(story.statement).replace("eyJfdHlwZSI6", "eyJfdHlwZSI7");
    const refuted = await statementJob({ ...story, statement } as StatementInput);
    expect(refuted).toMatchObject({ outcome: "refuted", parts: { signature: "refuted" } });
    expect(refuted.stated).toBeUndefined();
  });

  test("of texts is equal at some levels only", async () => {
    const levels = await textJob(STORIES.text, () => {});
    const equal = levels.filter(({ digests: [first, second] }) => JSON.stringify(first) === JSON.stringify(second));
    expect(equal.map(({ level }) => level)).toEqual(["whitespace"]);
  });
});

describe("the input of a vector", () => {
  test("of each operation that a tool has opens in the tool, as a link does", () => {
    const opened = new Map<string, string>();
    for (const name of listSuites()) {
      const { operation, cases } = loadSuite(name);
      for (const { input } of cases) {
        const shared = openedInput(operation, input);
        const fragment = shared && formatFragment(shared);
        if (shared === undefined || fragment === undefined) continue;
        expect(parseFragment(fragment)).toMatchObject(shared);
        opened.set(operation, shared.tool);
      }
    }
    expect(Object.fromEntries(opened)).toEqual({
      "canonical-json/canonicalize": "canonical",
      "canonical-json/canonicalizeJson": "canonical",
      "canonical-json/parseJson": "canonical",
      "content-hash/compareTexts": "text",
      "content-hash/computeTextHash": "text",
      "content-hash/normalizeText": "text",
      "manifest/diffManifests": "compare",
      "schema-diff/compareSchemas": "schemas",
      "statement/openStatement": "statement",
      "trail/verifyChain": "trail",
    });
  });

  test.each([
    ["trail/computeHash", { json: "{}" }],
    ["constructor", { json: "{}" }],
    ["canonical-json/canonicalize", { json: "{}", keyOrder: "locale" }],
    ["canonical-json/canonicalize", { value: 1 }],
    ["trail/verifyChain", { json: "{}" }],
  ])("of %s opens in no tool that lacks a field for it", (operation, input) => {
    expect(openedInput(operation, input)).toBeUndefined();
  });
});
