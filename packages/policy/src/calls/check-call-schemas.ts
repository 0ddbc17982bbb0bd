import { canonicalize, type JsonValue, printable, toPointer } from "@agentprint/canonical-json";
import { type SchemaComparison, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import type { Policy } from "../apply/policy.ts";
import { checkArgument, POLICY } from "../check-argument.ts";
import { PolicyError } from "../errors.ts";
import { MAX_PROOF_STEPS } from "../limits.ts";
import { proveNarrower } from "./prove-narrower.ts";

/**
 * Returns a tool's locked input schemas, one for each definition that some session saw; none if the tool is not locked.
 */
export type LockedInputSchemas = (server: string, tool: string) => readonly JsonValue[];

/**
 * Throws unless the policy's `arguments` provably accept only what the locked schemas accept. The proof ignores
 * `path-within` and `url-host`, because they can only narrow.
 *
 * @throws {@link PolicyError} `not-narrower` with a call that shows it, `unproven`, or `invalid-schema`.
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { checkCallSchemas, parsePolicy } from "@agentprint/policy";
 *
 * const locked = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
 * const narrower = { ...locked, properties: { path: { type: "string", "path-within": "/srv/data" } } };
 * const servers = { files: { calls: { read: { arguments: narrower } } } };
 * const policy = parsePolicy({ servers }, DRIFT_CATALOG);
 * checkCallSchemas(policy, () => [locked]);
 * ```
 */
export function checkCallSchemas(policy: Policy, lockedInputSchemas: LockedInputSchemas): void {
  checkArgument("policy", policy, POLICY);
  checkArgument("lockedInputSchemas", lockedInputSchemas, "function");
  const budget = new StepBudget(MAX_PROOF_STEPS);
  for (const [server, { calls }] of Object.entries(policy.servers)) {
    for (const [tool, { arguments: schema }] of Object.entries(calls)) {
      if (schema === undefined) continue;
      const path = toPointer(["servers", server, "calls", tool, "arguments"]);
      const locked = lockedInputSchemas(server, tool);
      if (locked.length === 0) throw new PolicyError("unproven", path, "the tool is not in the lock", "a locked tool");
      for (const each of locked) {
        const comparison = naming(path, () => proveNarrower(each, schema, budget));
        refuseWider(comparison, path);
      }
    }
  }
}

function refuseWider({ verdict, counterexample, notes }: SchemaComparison, path: string): void {
  const expected = "a schema that accepts nothing that the locked one refuses";
  if (counterexample !== undefined) {
    const call = printable(canonicalize(counterexample.value));
    throw new PolicyError(
      "not-narrower",
      path,
      `arguments ${call} are accepted, but the locked schema refuses them`,
      expected,
    );
  }
  if (verdict === "compatible") return;
  throw new PolicyError(
    "unproven",
    path,
    `could not prove it: ${notes.map(({ message }) => message).join("; ")}`,
    expected,
  );
}

function naming<T>(path: string, compare: () => T): T {
  try {
    return compare();
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    const place = error.schema === "after" ? `${path}${error.path}` : path;
    throw new PolicyError("invalid-schema", place, error.message, "a JSON Schema", { cause: error });
  }
}
