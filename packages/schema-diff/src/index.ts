export {
  type AcceptsValueOptions,
  acceptsValue,
  createValueEvaluator,
  type ValueEvaluatorOptions,
  type ValueVerdict,
} from "./accepts-value.ts";
export { StepBudget } from "./budget.ts";
export { type IsolatedCauses, isolateCauses, type SchemaCause } from "./causes/isolate-causes.ts";
export { createSchemaMixer } from "./causes/schema-mixer.ts";
export { compareSchemas, createSchemaComparer, type SchemaComparer, type SchemaComparison } from "./compare-schemas.ts";
export { type SchemaDiffArgument, SchemaDiffError, type SchemaDiffErrorCode } from "./errors.ts";
export type { RejectedPlace } from "./explain-rejection.ts";
export type { CompareSchemasOptions, Counterexample, SchemaStep } from "./judge-step.ts";
export type { SchemaNote, SchemaNoteCode } from "./notes.ts";
export type {
  ChangeDirection,
  ChangeEffect,
  ChangeSubject,
  SchemaChange,
} from "./schema-change.ts";
export { createValueJudge } from "./value-judge.ts";
