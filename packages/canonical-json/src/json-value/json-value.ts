/** A value of a JSON text. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object: its members by name. */
export interface JsonObject {
  [name: string]: JsonValue;
}
