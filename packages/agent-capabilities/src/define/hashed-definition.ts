import { CapabilityError } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import type { Composable } from "./composable.ts";

/** The base class of tools, toolkits and dynamic toolkits: one digest for each set of options, computed on demand. */
export abstract class HashedDefinition {
  /** The digest with the default options. */
  #digest: string | undefined;
  /** Digests with other options, by the options as text. */
  #others: Map<string, string> | undefined;

  /** Returns whether this copy of the package made a value; no other code can set the private member. */
  static made(value: unknown): value is Composable {
    return typeof value === "object" && value !== null && #digest in value;
  }

  get staticHash(): string {
    return this.computeStaticHash();
  }

  computeStaticHash(options: HashOptions = {}): string {
    const { sort = "code-unit", schemaSource = "to-json-schema", requireTransparentSchemas = false } = options;
    if (sort === "code-unit" && schemaSource === "to-json-schema" && !requireTransparentSchemas) {
      this.#digest ??= this.hash({});
      return this.#digest;
    }
    const key = `${sort} ${schemaSource} ${requireTransparentSchemas}`;
    const digest = this.#others?.get(key) ?? this.hash(options);
    this.#others ??= new Map();
    this.#others.set(key, digest);
    return digest;
  }

  protected abstract hash(options: HashOptions): string;
}

/**
 * Throws unless `tool`, `toolkit` or `dynamicToolkit` returned the value. These freeze their results, so members cannot form
 * a cycle.
 *
 * @throws {@link CapabilityError} `invalid-argument`
 */
export function assertComposable(value: unknown, where: string): asserts value is Composable {
  if (HashedDefinition.made(value)) return;
  throw new CapabilityError(
    "invalid-argument",
    `${where}: expected the result of tool(), toolkit() or dynamicToolkit() of this copy of the package, received ${
      value === null ? "null" : typeof value
    }`,
  );
}
