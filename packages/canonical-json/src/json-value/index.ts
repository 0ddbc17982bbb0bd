export {
  type ArgumentCheck,
  ArgumentError,
  type ArgumentErrorCode,
  type ArgumentForm,
  argumentCheck,
} from "../arguments/argument-check.ts";
export { typeName } from "../arguments/type-name.ts";
export { deepFreeze } from "./deep-freeze.ts";
export { type DiffJsonOptions, diffJson, type ElementPair, type JsonChange, pairByPosition } from "./diff-json.ts";
export { isJsonObject, isObject } from "./is-object.ts";
export { isSameJson } from "./is-same-json.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export { ownMember, setOwnMember } from "./members.ts";
export { fromPointer, type PathSegment, toPointer } from "./pointer.ts";
export { readCanonical } from "./read-canonical.ts";
