import {
  answer,
  judge,
  readJson,
  type VectorCase,
  type VectorOutcome,
  type VectorSuite,
} from "@agentprint/typescript-port";
import type { Shared } from "../share/fragment.ts";
import { openedInput } from "./opened-input.ts";

/** The text of a suite, and the id of a vector in it; an id that matches no vector selects all vectors. */
export interface VectorInput {
  readonly suite: string;
  readonly id: string;
}

/** A vector, and the result of running it. */
export interface RunVector {
  readonly id: string;
  readonly comment: string;
  /** The values as JSON text, cut if it is long. */
  readonly input: string;
  readonly expected: string;
  readonly actual: string;
  /** `withdrawn` vectors are not run. */
  readonly status: "passed" | "failed" | "withdrawn";
  /** A tool whose fields hold the input; absent if no tool has fields for all of it. */
  readonly opens?: Shared;
}

/** The description of a suite, and the vectors that were run. */
export interface VectorResult extends Pick<VectorSuite, "description" | "operation" | "source" | "suite"> {
  readonly passed: number;
  readonly failed: number;
  /** The requested vector, or those that failed. */
  readonly shown: readonly RunVector[];
}

/** The maximum number of UTF-16 code units of a JSON text that are shown. */
const MAX_SHOWN = 10_000;
/** The maximum number of failed vectors shown. */
const MAX_FAILED = 20;

/** Runs one vector of a suite, or all of them, with this page's packages. */
export async function vectorJob({ suite: text, id }: VectorInput): Promise<VectorResult> {
  const { suite, operation, description, source, cases } = readJson(text) as VectorSuite;
  const asked = cases.filter((vector) => vector.id === id);
  const run: RunVector[] = [];
  for (const vector of asked.length > 0 ? asked : cases) run.push(await runVector(operation, vector));
  const failed = run.filter(({ status }) => status === "failed");
  return {
    suite,
    operation,
    description,
    source,
    passed: run.filter(({ status }) => status === "passed").length,
    failed: failed.length,
    shown: asked.length > 0 ? run : failed.slice(0, MAX_FAILED),
  };
}

async function runVector(
  operation: string,
  { id, comment, input, expected, withdrawn }: VectorCase,
): Promise<RunVector> {
  const opens = openedInput(operation, input);
  const shown = {
    id,
    comment: withdrawn ?? comment,
    input: show(input),
    expected: show(expected),
    ...(opens && { opens }),
  };
  if (withdrawn !== undefined) return { ...shown, actual: "", status: "withdrawn" };
  const actual = await answer(operation, input).catch((error: unknown): VectorOutcome => ({ thrown: String(error) }));
  const status = judge(expected, actual).status === "passed" ? "passed" : "failed";
  // Only the members that the vector expects are compared, so only those are shown next to the vector's result.
  const compared = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  return { ...shown, actual: show("error" in actual || status === "failed" ? actual : compared), status };
}

function show(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
