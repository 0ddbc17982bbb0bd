/** Returns a small seeded generator (mulberry32), so that every run measures the same bytes. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS =
  "read write the a file folder path with content returns list of matching entries when given name and pattern recursive only allowed inside directories limit before after default value".split(
    " ",
  );

/** Returns English-like prose of about `length` characters. */
function prose(next: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += `${WORDS[Math.floor(next() * WORDS.length)]} `;
  return text.slice(0, length);
}

function hex(next: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("");
}

/** Returns a hash-chain record: six string fields, 416 bytes of JSON. */
export function record(seed = 1): Record<string, string> {
  const next = random(seed);
  return {
    id: hex(next, 36),
    type: "decision",
    task_id: `task-${hex(next, 8)}`,
    content: prose(next, 155),
    timestamp: "2026-11-20T10:11:12.345Z",
    prev_hash: hex(next, 64),
  };
}

/** Returns a tool as a server lists it, about 2 KB of JSON. */
export function toolDefinition(seed = 2): Record<string, unknown> {
  const next = random(seed);
  const property = (name: string) => [
    name,
    { type: "string", description: prose(next, 90), minLength: 1, maxLength: 4096 },
  ];
  return {
    name: `tool_${hex(next, 6)}`,
    title: "Edit a file",
    description: prose(next, 420),
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: Object.fromEntries(["path", "oldText", "newText", "encoding", "mode"].map(property)),
      required: ["path", "oldText", "newText"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    execution: { taskSupport: "forbidden" },
    outputSchema: {
      type: "object",
      properties: { content: { type: "string" }, bytes: { type: "integer" } },
      required: ["content"],
    },
  };
}

/** Returns a Capability Manifest of about 131 KB. */
export function manifest(): Record<string, unknown> {
  const tools = Array.from({ length: 92 }, (_, i) => {
    const { name, inputSchema } = toolDefinition(100 + i);
    return {
      name: `${name}_${i}`,
      description_i18n_key: `agent.tools.tool_${i}.desc`,
      input_schema: inputSchema,
      permission_scope: "filesystem:read",
      timeout_ms: 10000 + i,
    };
  });
  return {
    schema_version: "1.0",
    agent_version: "1.4.2",
    tools,
    permission_scopes: [{ id: "filesystem:read", label_i18n_key: "agent.scopes.fs.label", sensitivity: "medium" }],
    capability_flags: { supports_streaming: true, supports_artifacts: true, supports_voice: false },
  };
}

/** Returns about 10 MB of records, or a fraction of them. */
export function records(part = 1): unknown[] {
  return Array.from({ length: 25_000 * part }, (_, i) => record(i + 1));
}

/** Returns about 29 KB of Chinese prose and emoji in keys and values. */
export function chinese(): Record<string, unknown> {
  const next = random(3);
  const text = (length: number) =>
    Array.from({ length }, () => (next() < 0.06 ? "🚀" : String.fromCharCode(0x4e00 + Math.floor(next() * 5000)))).join(
      "",
    );
  return { 标题: text(20), 段落: Array.from({ length: 90 }, (_, i) => ({ 编号: i, 名称: text(8), 正文: text(84) })) };
}

export function numbers(): number[] {
  const next = random(4);
  return Array.from({ length: 10_000 }, (_, i) =>
    i % 3 === 0 ? Math.floor(next() * 1e6) : (next() - 0.5) * 10 ** Math.floor(next() * 30 - 10),
  );
}

/** Returns one object with 50,000 keys in no particular order. */
export function wide(): Record<string, number> {
  const next = random(5);
  return Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key_${hex(next, 8)}_${i}`, i]));
}

/** Returns about 10 MB of source text with LF line endings, or a fraction of it. */
export function sourceText(part = 1): string {
  const block =
    "function add(left, right) {\n\tif (left === 0) return right;\n    // keep the sign\n\n  return left + right;\n}\n";
  return block.repeat(Math.ceil((part * 10 * 1024 * 1024) / block.length));
}

/** Returns a spec of about 200 KB: a long prompt and many tools. */
export function agentSpec(): { id: string; systemPrompt: string; tools: unknown[] } {
  const tools = Array.from({ length: 80 }, (_, i) => toolDefinition(i + 1));
  return { id: "writer", systemPrompt: "You are careful and say what you do.\n".repeat(1000), tools };
}
