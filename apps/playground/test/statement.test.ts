import { parseLock } from "@agentprint/mcp-lock";
import { signStatement } from "@agentprint/statement";
import { author, other, statementOf } from "@agentprint/testing/statement/author";
import { describe, expect, test } from "vitest";
import { type StatementInput, statementJob } from "../src/jobs/statement-job.ts";
import { STORIES } from "../src/stories/stories.ts";

const STORY = STORIES.statement as StatementInput & Readonly<Record<string, string>>;
const [before, served] = [STORY.before, STORY.served].map((text) => parseLock(String(text)).servers[0]);
if (before === undefined || served === undefined) throw new Error("each lock of the example has a server");

const OPEN = { times: "open", definitions: "open", verdict: "open", order: "open" };

describe("a statement", () => {
  test("is undecided without a lock, except for its signature", async () => {
    const alone = { ...STORY, served: "", before: "", server: "" };
    expect(await statementJob(alone)).toMatchObject({
      outcome: "partly",
      parts: { ...OPEN, signature: "proven" },
      stated: { issued: "2026-01-31T00:00:00Z", subjects: [expect.stringMatching(/^files tdh1:[0-9a-f]{64}$/)] },
    });
    expect(await statementJob({ ...alone, keys: other.publicKey })).toMatchObject({
      outcome: "refuted",
      parts: { ...OPEN, signature: "refuted" },
      findings: [{ rule: "statement/wrong-key", subject: "statement" }],
    });
  });

  test.each<[string, Partial<StatementInput>, object, string[]]>([
    ["has expired", { at: "2027-02-01T00:00:00Z" }, { times: "refuted" }, ["statement/expired"]],
    [
      "is of other definitions",
      { served: STORY.before, before: "" },
      { definitions: "refuted", verdict: "open" },
      ["statement/wrong-subject", "statement/definitions-differ"],
    ],
    ["is not compared with what it says of no change", { before: STORY.served }, { verdict: "open" }, []],
    ["follows itself", { accepted: STORY.statement }, { order: "proven" }, []],
  ])("with %s reports it in its part", async (_, change, parts, rules) => {
    const result = await statementJob({ ...STORY, ...change });
    expect(result.parts).toMatchObject({ signature: "proven", ...parts });
    expect(result.findings.map(({ rule }) => rule)).toEqual(rules);
  });

  test("with every part proven holds, also from a file and with PEM keys", async () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${author.publicKey}\n-----END PUBLIC KEY-----\n`;
    const input = { ...STORY, accepted: STORY.statement, keys: new Blob([`${other.publicKey}\n${pem}`]) };
    expect(await statementJob(input)).toMatchObject({ outcome: "holds", findings: [] });
  });

  test("that understates its change is refuted, and one of a first release has no verdict", async () => {
    const first = statementOf(served, "2.0.0");
    expect(await statementJob({ ...STORY, statement: signStatement(first, author) })).toMatchObject({
      parts: { verdict: "open" },
      findings: [{ rule: "statement/unproven-verdict", level: "note" }],
    });
    const { predicate } = statementOf(served, "2.0.0", { before: { entry: before, version: "1.2.0" } });
    const { verdict } = predicate;
    if (verdict === undefined) throw new Error("a statement with a release before has a verdict");
    const lying = { ...first, predicate: { ...predicate, verdict: { ...verdict, level: "patch" as const } } };
    expect(await statementJob({ ...STORY, statement: signStatement(lying, author) })).toMatchObject({
      outcome: "refuted",
      parts: { verdict: "refuted" },
      findings: [{ rule: "statement/lying-verdict", sides: { hunks: [{ after: [{ text: '"major"' }] }] } }],
    });
  });

  test.each<[string, Partial<StatementInput>]>([
    ["invalid-envelope", { statement: "{}" }],
    ["invalid-key", { keys: "no key" }],
    ["unknown-server", { server: "others" }],
    ["invalid-time", { at: "yesterday" }],
    ["digest-mismatch", { served: String(STORY.served).replace("Moves a file", "Moves any file") }],
  ])("is refused as %s", async (code, change) => {
    await expect(statementJob({ ...STORY, ...change })).rejects.toMatchObject({ code });
  });
});
