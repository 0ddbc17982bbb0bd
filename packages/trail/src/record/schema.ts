export { canonicalize, computeHash } from "./digest.ts";
export { THOUGHT_TYPES, type ThoughtRecord, type ThoughtType, ZERO_HASH } from "./record.ts";
export { ThoughtRecordSchema } from "./thought-record-schema.ts";
