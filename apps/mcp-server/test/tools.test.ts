import { fileURLToPath } from "node:url";
import { createMacKey, sealEvent } from "@agentprint/recorder/events";
import { EMPTY_MANIFEST } from "@agentprint/testing/manifest/empty-manifest";
import { computeHash, ThoughtRecordSchema, ZERO_HASH } from "@agentprint/trail";
import { createNoteVerifier, verifyCheckpoint } from "@agentprint/trail/checkpoint";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectRaw, ERAS, type Json, openTestServices, type RawClient, type TestServices } from "./support/server.ts";

const OWN_LOCK = fileURLToPath(new URL("../agentprint.lock", import.meta.url));
const THOUGHT = { type: "plan", task_id: "task-42", content: "Migrate the table." };

describe.each(ERAS)("over stdio, in revision %s", (revision) => {
  let services: TestServices;
  let client: RawClient;
  beforeEach(async () => {
    const locks = { lock_file: OWN_LOCK, lock_base_file: OWN_LOCK };
    services = await openTestServices({ content_limit: "1000", token_record_limit: "3", ...locks });
    client = await connectRaw(services, revision);
  });
  afterEach(async () => {
    await client.server.close();
    await services.remove();
  });

  const codeOf = ({ content, isError }: Json): string => `${isError} ${content[0].text.split(":")[0]}`;

  test("eleven tools have schemas that their answers match, and true hints", async () => {
    const { tools } = (await client.request("tools/list")).result;
    expect(tools.map(({ name }: Json) => name)).toEqual([
      "thought_record",
      "thought_get",
      "thought_list",
      "audit_verify_chain",
      "audit_checkpoint",
      "code_hash_normalized",
      "tool_fingerprint",
      "capability_manifest_validate",
      "capability_manifest_diff",
      "spec_drift_check",
      "lock_changes",
    ]);
    const { id } = (await client.call("thought_record", { ...THOUGHT, agent_id: "planner" })).structuredContent;
    const spec = { id: "writer", systemPrompt: "Write." };
    const calls: Record<string, object> = {
      thought_record: THOUGHT,
      thought_get: { task_id: "task-42", id },
      thought_list: { task_id: "task-42" },
      audit_verify_chain: { task_id: "task-42" },
      audit_checkpoint: { task_id: "task-42" },
      code_hash_normalized: { content: "a  b" },
      tool_fingerprint: { tool: { name: "move_file" } },
      capability_manifest_validate: { manifest: { schema_version: "2.0" } },
      capability_manifest_diff: {
        before: EMPTY_MANIFEST,
        after: { ...EMPTY_MANIFEST, capability_flags: { supports_voice: true } },
      },
      lock_changes: {},
      spec_drift_check: { before: spec, after: { ...spec, systemPrompt: "Read." } },
    };
    const before = JSON.stringify(await services.trail.list("task-42"));
    for (const { name, outputSchema, annotations } of tools) {
      const { structuredContent, content, isError } = await client.call(name, calls[name] ?? {});
      expect(isError, name).toBeUndefined();
      const validate = new Ajv2020({ strict: false }).compile(outputSchema);
      expect(validate(structuredContent), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(JSON.parse(content[0].text), name).toEqual(structuredContent);
      expect(content[1].text, name).not.toBe("");
      if (name !== "thought_record") continue;
      expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
    }
    const { records } = await services.trail.list("task-42");
    expect(records).toHaveLength(2);
    expect(JSON.stringify({ records: records.slice(0, 1), next: null })).toBe(before);
  });

  test("each refusal of arguments begins with its code, whatever is wrong with them", async () => {
    const wrong: object[] = [{}, { content: 1, task_id: 2, name: 3, text: [], type: {} }, { nothing: true }];
    const { tools } = (await client.request("tools/list")).result;
    let refusals = 0;
    for (const { name } of tools) {
      for (const args of wrong) {
        const { isError, content, structuredContent } = await client.call(name, args);
        if (!isError || structuredContent) continue;
        refusals++;
        expect(content[0].text, name).toMatch(/^(?:[A-Z_]+|[a-z]+(?:-[a-z]+)*): ./);
        expect(content[0].text, name).not.toContain("Input validation");
      }
    }
    expect(refusals).toBeGreaterThan(tools.length);
  });

  test("thought_record answers with the record, chained to the previous one", async () => {
    const first = (await client.call("thought_record", { ...THOUGHT, agent_id: "planner" })).structuredContent;
    const second = (await client.call("thought_record", { ...THOUGHT, type: "decision" })).structuredContent;
    expect(ThoughtRecordSchema.parse(first)).toEqual(first);
    expect(first).toMatchObject({ ...THOUGHT, agent_id: "planner", prev_hash: ZERO_HASH, hash: computeHash(first) });
    expect(second).toMatchObject({ agent_id: "raw-client", prev_hash: first.hash, hash: computeHash(second) });
    expect((await client.call("thought_get", { task_id: first.task_id, id: first.id })).structuredContent).toEqual(
      first,
    );
    const page = (await client.call("thought_list", { task_id: "task-42", limit: 1 })).structuredContent;
    expect(page).toEqual({ records: [first], next: 0 });
    const next = await client.call("thought_list", { task_id: "task-42", after: page.next });
    expect(next.structuredContent).toEqual({ records: [second], next: null });
  });

  test("a call that is repeated with its id records nothing twice, and other content is refused", async () => {
    const thought = { ...THOUGHT, id: "mine" };
    const first = await client.call("thought_record", thought);
    expect((await client.call("thought_record", thought)).structuredContent).toEqual(first.structuredContent);
    expect(codeOf(await client.call("thought_record", { ...thought, content: "Other." }))).toBe("true id-conflict");
    expect((await services.trail.list("task-42")).records).toHaveLength(1);
  });

  test("content that must not be recorded is refused, and the trail stays intact", async () => {
    const place = { id: "r", task_id: "task-42", timestamp: "2026-04-01T00:00:00.000Z" };
    const event = { kind: "call", agent: "planner", session: "s1", sequence: 1, call: "c1", tool: "read" } as const;
    const { content: envelope } = sealEvent(event, place, createMacKey(new Uint8Array(32)));
    const refusals: [object, string][] = [
      [{ ...THOUGHT, content: envelope }, "true CONTENT_IS_ENVELOPE"],
      [{ ...THOUGHT, content: "x".repeat(1001) }, "true CONTENT_TOO_LARGE"],
      [{ ...THOUGHT, content: "a\0b" }, "true unsupported-text"],
      [{ ...THOUGHT, type: "observation" }, "true INVALID_ARGUMENT"],
      [{ ...THOUGHT, timestamp: "2001-01-01" }, "true INVALID_ARGUMENT"],
      [{ ...THOUGHT, task_id: "" }, "true INVALID_ARGUMENT"],
    ];
    for (const [thought, code] of refusals) expect(codeOf(await client.call("thought_record", thought))).toBe(code);
    expect(await services.trail.head("task-42")).toBeNull();
    for (const content of ["1", "2", "3"]) await client.call("thought_record", { ...THOUGHT, content });
    expect(codeOf(await client.call("thought_record", THOUGHT))).toBe("true QUOTA_EXCEEDED");
    expect(codeOf(await client.call("thought_get", { task_id: "task-42", id: "missing" }))).toBe(
      "true THOUGHT_NOT_FOUND",
    );
    expect(codeOf(await client.call("audit_verify_chain", { task_id: "missing" }))).toBe("true TASK_NOT_FOUND");
    const { structuredContent } = await client.call("audit_verify_chain", { task_id: "task-42" });
    expect(structuredContent).toMatchObject({ ok: true, length: 3, problems: [], store_problems: [] });
  });

  test("a checkpoint verifies with the key next to it, and covers the author", async () => {
    await client.call("thought_record", THOUGHT);
    const { note, origin, size, root_hash, verifier_key } = (
      await client.call("audit_checkpoint", { task_id: "task-42" })
    ).structuredContent;
    const checkpoint = verifyCheckpoint(note, { origin, log: createNoteVerifier(verifier_key) });
    expect(checkpoint).toMatchObject({
      origin: "localhost/agentprint-mcp-server/tasks/task-42",
      size,
      rootHash: root_hash,
    });
    expect(checkpoint.authorRootHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await services.trail.checkpoints("task-42")).toEqual([note]);
  });

  test("a trail is a resource with an encoded name", async () => {
    const task_id = "team/a, b%";
    await client.call("thought_record", { ...THOUGHT, task_id });
    const { resources } = (await client.request("resources/list")).result;
    const uri = `trail://task/${encodeURIComponent(task_id)}`;
    expect(resources).toMatchObject([{ uri, name: task_id, mimeType: "application/jsonl" }]);
    const { contents } = (await client.request("resources/read", { uri })).result;
    expect(
      contents[0].text
        .trim()
        .split("\n")
        .map((line: string) => JSON.parse(line).task_id),
    ).toEqual([task_id]);
    for (const missing of ["trail://task/missing", "trail://task/%zz", "file:///etc/passwd"]) {
      expect((await client.request("resources/read", { uri: missing })).error.code, missing).toBe(-32_602);
    }
  });

  test("the prompt teaches a model to keep the log of a task, whose name is completed", async () => {
    await client.call("thought_record", THOUGHT);
    const { messages } = (
      await client.request("prompts/get", { name: "decision_log", arguments: { task_id: 'a "b"' } })
    ).result;
    expect(messages[0].content.text).toContain('thought_record with task_id "a \\"b\\""');
    const argument = { name: "task_id", value: "task-" };
    const ref = { type: "ref/prompt", name: "decision_log" };
    expect((await client.request("completion/complete", { ref, argument })).result.completion.values).toEqual([
      "task-42",
    ]);
  });

  test("a tool's changed schema is reported with a call that only one side accepts, or as unknown when the steps run out", async () => {
    const withSchema = (schema: object) => ({
      ...EMPTY_MANIFEST,
      tools: [
        {
          name: "read",
          description_i18n_key: "tools.read",
          input_schema: { type: "object", ...schema, additionalProperties: false },
          permission_scope: "files:read",
        },
      ],
      permission_scopes: [{ id: "files:read", label_i18n_key: "scopes.read", sensitivity: "low" }],
    });
    const compare = async (before: object, after: object) => {
      const sides = { before: withSchema(before), after: withSchema(after) };
      const { structuredContent, content } = await client.call("capability_manifest_diff", sides);
      return { compatibility: structuredContent.breaking[0].compatibility, text: content[1].text };
    };
    const withLimit = (maximum: number) => ({ properties: { limit: { type: "integer", maximum } } });
    const { compatibility, text } = await compare(withLimit(9), withLimit(5));
    const { acceptedBy, value } = compatibility.counterexample;
    expect([compatibility.verdict, acceptedBy]).toEqual(["breaking", "before"]);
    expect(value.limit).toBeGreaterThan(5);
    expect(text).toContain(`, for example ${JSON.stringify(value)}`);
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`d${i}`, { anyOf: Array(2).fill({ $ref: `#/$defs/d${i + 1}` }) }]),
    );
    const hostile = (type: string) => ({ $ref: "#/$defs/d0", $defs: { ...$defs, d30: { required: ["a"], type } } });
    expect((await compare(hostile("object"), hostile("string"))).compatibility.verdict).toBe("unknown");
  });

  test("malformed and unknown messages are answered or ignored, and the next call works", async () => {
    client.writeText("{no json}\n[]\n\n");
    client.write({ jsonrpc: "2.0", id: 70, method: "no/such" }, { id: 71 }, { jsonrpc: "1.0", id: 72, method: "ping" });
    const { error } = await client.request("tools/call", { name: "no_such", arguments: {} });
    expect(error.code).toBe(-32_602);
    expect((await client.call("thought_record", THOUGHT)).isError).toBeUndefined();
  });
});
