/** A value that JSON text can represent. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object: its members by name. */
export interface JsonObject {
  [name: string]: JsonValue;
}
