import type { Writable } from "node:stream";
import {
  createSecretReplacer,
  type KnownValue,
  type SecretReplacer,
  type SecretStream,
} from "@agentprint/mcp-visit/secrets";
import { withoutRunnerCommands } from "@agentprint/report/runner-commands";

type Write = Writable["write"];

/** Values of variables and headers. Standard output, standard error and reports show the name of a value in its place. */
export class HiddenValues {
  readonly #values: KnownValue[] = [];
  readonly #ofOutput: KnownValue[] = [];
  /** Absent until there is a value to hide. */
  #replacer: SecretReplacer | undefined;
  readonly #unguarded = new WeakMap<Writable, Write>();

  /** Makes outputs show the names of these values instead of the values. */
  hide(added: readonly KnownValue[]): void {
    this.#add(this.#values, added);
  }

  /** Hides values that no server received, and that are not among the {@link known} ones. */
  hideFromOutput(added: readonly KnownValue[]): void {
    this.#add(this.#ofOutput, added);
  }

  #add(values: KnownValue[], added: readonly KnownValue[]): void {
    const before = values.length;
    for (const one of added) {
      if (!values.some(({ name, value }) => name === one.name && value === one.value)) values.push(one);
    }
    if (values.length > before) this.#replacer = createSecretReplacer([...this.#values, ...this.#ofOutput]);
  }

  /** The values that servers were started or called with. */
  get known(): readonly KnownValue[] {
    return this.#values;
  }

  /**
   * Returns a text with the names of values in their place. Must be called before the text is escaped or cut.
   *
   * @param cut Whether the text is only the end of a longer one
   */
  replace(text: string, cut?: "at-start"): string {
    return this.#replacer?.replace(text, cut) ?? text;
  }

  /** Returns a stream that replaces values in a text that arrives in pieces; `undefined` if there is no value. */
  stream(): SecretStream | undefined {
    return this.#replacer?.stream();
  }

  /** Returns a report's value with the names of hidden values in their place in every string. */
  replaceIn<T>(value: T): T {
    return this.#replacer === undefined ? value : this.#replacer.replaceIn(value);
  }

  /**
   * Makes a stream replace values in everything written to it. Texts are also kept from containing commands for a CI
   * runner that reads the log; bytes may contain them, because they are data.
   */
  guard(stream: Writable): void {
    const write = stream.write.bind(stream);
    this.#unguarded.set(stream, write);
    const guarded = (chunk: string | Uint8Array, ...rest: never[]): boolean => write(this.#guardChunk(chunk), ...rest);
    stream.write = guarded as Write;
  }

  /**
   * Writes a text whose values were replaced before a format was applied. A short value can also be part of the format's
   * syntax, which must not change.
   */
  writeReplaced(stream: Writable, text: string): void {
    (this.#unguarded.get(stream) ?? stream.write.bind(stream))(text);
  }

  /** Returns the `write` function of a stream that relays messages between others, byte for byte. */
  rawWrite(stream: Writable): (chunk: Uint8Array) => boolean {
    return this.#unguarded.get(stream) ?? stream.write.bind(stream);
  }

  #guardChunk(chunk: string | Uint8Array): string | Uint8Array {
    if (typeof chunk === "string") return withoutRunnerCommands(this.replace(chunk));
    if (this.#replacer === undefined) return chunk;
    const text = Buffer.from(chunk).toString();
    const replaced = this.#replacer.replace(text);
    return replaced === text ? chunk : replaced;
  }
}
