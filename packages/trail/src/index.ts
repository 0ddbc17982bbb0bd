export {
  canonicalize,
  computeHash,
  THOUGHT_TYPES,
  type ThoughtRecord,
  ThoughtRecordSchema,
  type ThoughtType,
  ZERO_HASH,
} from "./schema.ts";
