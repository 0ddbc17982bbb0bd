import { createSecretReplacer, type KnownValue } from "@agentprint/mcp-visit";

type Write = NodeJS.WriteStream["write"];

const values: KnownValue[] = [];
let replacer = createSecretReplacer(values);
const unguarded = new WeakMap<NodeJS.WriteStream, Write>();

/** From now on names these values wherever they would be shown: on standard output, on standard error, in a report. */
export function hideValues(added: readonly KnownValue[]): void {
  const before = values.length;
  for (const one of added) {
    if (!values.some(({ name, value }) => name === one.name && value === one.value)) values.push(one);
  }
  if (values.length > before) replacer = createSecretReplacer(values);
}

/** The values that servers were started or called with. */
export function knownValues(): readonly KnownValue[] {
  return values;
}

/**
 * A text with the names of values in their place: to be called before a text is escaped or cut.
 *
 * @param cut Whether the text is only the end of a longer one
 */
export function withoutValues(text: string, cut?: "at-start"): string {
  return replacer.replace(text, cut);
}

/** A value of a report with the names of values in their place in every string. */
export function withoutValuesIn<T>(value: T): T {
  return values.length === 0 ? value : replacer.replaceIn(value);
}

/** Makes a stream of this process replace values in everything that is written to it, whoever writes. */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  unguarded.set(stream, write);
  const guarded = (chunk: string | Uint8Array, ...rest: never[]): boolean => write(guardChunk(chunk), ...rest);
  stream.write = guarded as Write;
}

/** Writes what was replaced before it was put into the syntax of a format, which a short value may be a part of. */
export function writeReplaced(stream: NodeJS.WriteStream, text: string): void {
  (unguarded.get(stream) ?? stream.write.bind(stream))(text);
}

function guardChunk(chunk: string | Uint8Array): string | Uint8Array {
  if (values.length === 0) return chunk;
  const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  const replaced = replacer.replace(text);
  return replaced === text ? chunk : replaced;
}
