import type { FingerprintedTool, SchemaVerdict } from "@agentprint/tool-pins/judgement";

/** A judge of one server's changed schemas. */
export interface Judge {
  /** Sets how many tools are judged next. */
  expect(tools: number): void;
  /** Returns the verdicts on the schemas that differ between two versions of a tool. */
  judge(before: FingerprintedTool, after: FingerprintedTool): SchemaVerdict[];
}
