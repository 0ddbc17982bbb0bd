import schema from "@agentprint/report/report-v1.schema.json" with { type: "json" };
import { Ajv2020 } from "ajv/dist/2020.js";

const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);

/** Returns the violations of the published schema; empty for a valid report. */
export function problemsOf(report: unknown): string[] {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
