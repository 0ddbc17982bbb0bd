import * as z from "zod/mini";

const text = z._default(z.string(), "");

/** The state of each tool, field by field; a link or a saved file can hold nothing else. */
export const STATES = {
  canonical: z.strictObject({ first: text, second: text }),
  compare: z.strictObject({ before: text, after: text }),
  schemas: z.strictObject({
    before: text,
    after: text,
    direction: z._default(z.enum(["input", "output"]), "input"),
    values: z._default(z.enum(["any", "objects"]), "any"),
  }),
  trail: z.strictObject({
    trail: text,
    checkpoint: text,
    key: text,
    origin: text,
    task: text,
    proof: text,
    older: text,
    consistency: text,
  }),
  statement: z.strictObject({
    statement: text,
    keys: text,
    served: text,
    server: text,
    before: text,
    accepted: text,
    at: text,
  }),
  text: z.strictObject({ first: text, second: text }),
  vector: z.strictObject({ id: text }),
} as const;

/** The name of a tool. */
export type ToolName = keyof typeof STATES;

/** The tools, in the order in which the page lists them. */
export const TOOLS: readonly ToolName[] = Object.keys(STATES) as ToolName[];

/** The fields of a tool as texts. */
type SharedState<Name extends ToolName> = z.output<(typeof STATES)[Name]>;

/** The fields of a tool on the page, which can hold a file instead of a text. */
export type ToolState<Name extends ToolName> = {
  readonly [Field in keyof SharedState<Name>]:
    | SharedState<Name>[Field]
    | (string extends SharedState<Name>[Field] ? File : never);
};
