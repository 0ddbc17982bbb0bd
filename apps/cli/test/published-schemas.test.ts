import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lockJsonSchema } from "@agentprint/mcp-lock";
import { policyJsonSchema } from "@agentprint/policy";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { CONFIG_FILE } from "../src/init/config-file.ts";
import { RULES } from "../src/rules/rule-list.ts";

interface VectorCase {
  readonly comment: string;
  readonly input: { readonly json: string };
  readonly expected: { readonly error?: string; readonly refused?: { readonly code: string } | null };
}

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const casesOf = (suite: string): VectorCase[] => JSON.parse(textOf(`fixtures/vectors/${suite}.json`)).cases;
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const offered = RULES.list().flatMap((rule) => (rule.isConfigurable ? [[rule.id, rule] as const] : []));
const SCHEMAS = {
  "agentprint.config.schema.json": policyJsonSchema(Object.fromEntries(offered)),
  "agentprint.lock.schema.json": lockJsonSchema(),
};

const ajv = new Ajv({ strict: true, validateFormats: false });

test.each(Object.entries(SCHEMAS))("%s is the parser's output, and published", async (name, schema) => {
  const file = fileURLToPath(new URL(`../schema/${name}`, import.meta.url));
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file);
  expect(JSON.parse(textOf("apps/cli/package.json")).exports[`./${name}`]).toBe(`./schema/${name}`);
});

describe("the schema of locks", () => {
  const validate = ajv.compile(SCHEMAS["agentprint.lock.schema.json"]);

  test("accepts the lock of this repository", () => {
    expect(validate(JSON.parse(textOf("apps/mcp-server/agentprint.lock"))), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each(
    [...casesOf("mcp-lock/lock-parsing"), ...casesOf("mcp-lock/policy-parsing")].filter(
      ({ expected }) => expected.error !== "invalid-json",
    ),
  )("agrees with the parser: $comment", ({ input, expected }) => {
    const isOfForm = expected.error !== "invalid-lock" && expected.error !== "unsupported-lock-version";
    expect(validate(JSON.parse(input.json)), JSON.stringify(validate.errors)).toBe(isOfForm);
  });
});

describe("the schema of configurations", () => {
  const validate = ajv.compile(SCHEMAS["agentprint.config.schema.json"]);
  /** Error codes for names and proofs, which no schema checks. */
  const BEYOND_FORM = new Set(["unknown-rule", "fixed-rule", "two-decisions", "unsupported-name", "not-json"]);

  test.each(["docs/policy.md", "apps/cli/README.md"])("accepts the example of %s", (page) => {
    const blocks = [...textOf(page).matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, block]) => parsed(block ?? ""));
    const configurations = blocks.filter(
      (block) => typeof block === "object" && block !== null && ("preset" in block || "visits" in block),
    );
    expect(configurations.length).toBeGreaterThan(0);
    for (const each of configurations) expect(validate(each), JSON.stringify(validate.errors)).toBe(true);
  });

  test("accepts the file that init writes, which names it", () => {
    const written = JSON.parse(CONFIG_FILE.text);
    expect(validate(written)).toBe(true);
    expect(written.$schema).toBe("./node_modules/agentprint/schema/agentprint.config.schema.json");
  });

  test("agrees with the parser about the vectors of policies", () => {
    const cases = [...casesOf("policy/digest"), ...casesOf("policy/refusals")];
    for (const { comment, input, expected } of cases) {
      const code = expected.error ?? expected.refused?.code;
      if (code !== undefined && BEYOND_FORM.has(code)) continue;
      expect(validate(JSON.parse(input.json)), `${comment} ${input.json}`).toBe(code === undefined);
    }
    expect(cases.length).toBeGreaterThan(60);
  });
});
