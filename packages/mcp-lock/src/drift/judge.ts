import type { JsonChange, JsonObject } from "@agentprint/canonical-json";
import type { FingerprintedTool, SchemaVerdict } from "@agentprint/tool-pins/judgement";

/** The contracts of two versions of a tool, and the changes between them. */
export interface ChangedContract {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: readonly JsonChange[];
}

/** A judge of one server's changed schemas. */
export interface Judge {
  /** Sets how many tools are judged next. */
  expect(tools: number): void;
  /** Returns the verdicts on the schemas that differ between two versions of a tool. */
  judge(before: FingerprintedTool, after: FingerprintedTool, contract: ChangedContract): SchemaVerdict[];
}
