import { canRun, outputOf } from "@agentprint/testing/programs";
import type { Schema } from "./schemas.ts";
import { judgesAsOlderDraft } from "./validators.ts";

/**
 * Judges one case per line, without fetching anything; prints `null` if the library fails on the schema or on the
 * value.
 */
const PROGRAM = `
import json, sys
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.validators import validator_for
from referencing import Registry
for line in sys.stdin:
    schema, value, is_older = json.loads(line)
    try:
        kind = validator_for(schema, default=Draft7Validator if is_older else Draft202012Validator)
        print(json.dumps(kind(schema, registry=Registry()).is_valid(value)))
    except Exception:
        print("null")
`;

let hasLibrary: boolean | undefined;

/** Returns whether Python has the library jsonschema; checks this only once, because loading it takes a long time. */
export function hasPythonJudge(): boolean {
  hasLibrary ??= canRun("python3", ["-c", "import jsonschema, referencing"]);
  return hasLibrary;
}

/** Returns the verdicts of Python's jsonschema in the order of the cases; `undefined` where it fails. */
export function judgeByPython(
  cases: readonly { readonly schema: Schema; readonly value: unknown }[],
): (boolean | undefined)[] {
  const input = cases
    .map(({ schema, value }) => JSON.stringify([schema, value, judgesAsOlderDraft(schema)]))
    .join("\n");
  const output = outputOf("python3", ["-c", PROGRAM], { input, maxBuffer: 2 ** 28 });
  const verdicts = output.split("\n").filter((line) => line !== "");
  return verdicts.map((line) => (JSON.parse(line) as boolean | null) ?? undefined);
}
