/** What a JSON text can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** What a JSON object can hold, by name. */
export interface JsonObject {
  [name: string]: JsonValue;
}
