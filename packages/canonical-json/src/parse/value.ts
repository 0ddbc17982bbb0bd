/** What a JSON text can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
