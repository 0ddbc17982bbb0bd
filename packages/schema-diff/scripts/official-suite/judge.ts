import { acceptsValue, type SchemaNote } from "@agentprint/schema-diff";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { DraftFolder, Group, Part } from "./read-suite.ts";

/** The result of one test: the expected verdict, the other verdict, or none. */
export type Outcome =
  | { readonly type: "passed" | "failed" }
  | { readonly type: "unsupported"; readonly reason: string };

type Judge = (data: unknown) => boolean | { readonly reason: string };

/** Returns the outcomes of a group's tests. */
export function outcomesOf(group: Group, judge: Judge): Outcome[] {
  return group.tests.map(({ data, valid }) => {
    const verdict = judge(data);
    if (typeof verdict === "object") return { type: "unsupported", ...verdict };
    return { type: verdict === valid ? "passed" : "failed" };
  });
}

/**
 * Returns a judge that uses `acceptsValue`. The reason for `unknown` is the code of the first note, with the keyword if
 * several keywords share the code.
 */
export function acceptsValueJudge(schema: object | boolean): Judge {
  return (data) => {
    const result = acceptsValue(schema, data);
    return result.verdict === "unknown"
      ? { reason: reasonOf(result.notes[0] as SchemaNote) }
      : result.verdict === "accepts";
  };
}

function reasonOf({ code, path }: SchemaNote): string {
  const keyword = path.slice(path.lastIndexOf("/") + 1);
  return code === "unsupported-keyword" || code === "foreign-keyword" ? `${code} ${keyword}` : code;
}

const CLASSES = { "draft2020-12": Ajv2020, "draft2019-09": Ajv2019, draft7: Ajv } as const;

/**
 * Returns a judge that uses ajv without strict mode, with the suite's remote schemas. It asserts formats only in the
 * tests of the part `format`.
 */
export function ajvJudge(
  schema: object | boolean,
  { draft, part, remotes }: { draft: DraftFolder; part: Part; remotes: readonly [string, object | boolean][] },
): Judge {
  const validateFormats = part === "format";
  const ajv = new CLASSES[draft]({ strict: false, logger: false, validateFormats, validateSchema: false });
  if (validateFormats) formats.default(ajv);
  for (const [uri, remote] of remotes) ajv.addSchema(remote, uri);
  let validate: ValidateFunction | undefined;
  return (data) => {
    try {
      validate ??= ajv.compile(schema);
      return validate(data) as boolean;
    } catch (error) {
      return { reason: (error as Error).message };
    }
  };
}
