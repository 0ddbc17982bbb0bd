export { canonicalize, computeHash } from "./record/digest.ts";
export { THOUGHT_TYPES, type ThoughtRecord, type ThoughtType, ZERO_HASH } from "./record/record.ts";
export { ThoughtRecordSchema } from "./record/thought-record-schema.ts";
