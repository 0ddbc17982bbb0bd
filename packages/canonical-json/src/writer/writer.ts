import { MAX_RECURSION_DEPTH, writeByRecursion } from "../accelerators/recursion.ts";
import type { SortedKeys } from "../accelerators/remembered-keys.ts";
import { CanonicalJsonError, type CanonicalJsonErrorCode } from "../errors.ts";
import { type PathSegment, toPointer } from "../json-value/pointer.ts";
import { PLAIN, type ResolvedOptions } from "../key-order.ts";
import { ByteBuffer, type ByteSink } from "./byte-buffer.ts";
import { checkEmpty, parts, toPlainValue } from "./plain-value.ts";
import type { Container, ValueWriter, WrittenPart } from "./value-writer.ts";

const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An array or object some of whose members have been written. */
interface Frame {
  readonly node: Container;
  /** Sorted keys of an object; `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  next: number;
  first: boolean;
}

/** Writes one value as canonical JSON into its buffer. Every property is read once. */
export class Writer implements ValueWriter {
  readonly out: ByteBuffer = new ByteBuffer();
  /** Keys and indexes from the root to the place being read; only the first `#pathLength` are valid. */
  readonly #path: PathSegment[] = [];
  #pathLength = 0;
  /** The container at each depth, to report where a cycle closes. */
  readonly #containers: (object | undefined)[] = [];
  #height = 0;
  /**
   * Whether holes can read as inherited values, which the strict profile refuses. It is determined at the first array.
   */
  #holesInherit: boolean | undefined;
  #failure: CanonicalJsonError | undefined;
  options: ResolvedOptions = PLAIN;

  start(options: ResolvedOptions, sink: ByteSink | undefined): void {
    this.options = options;
    this.out.start(sink);
  }

  reset(): void {
    this.out.reset();
    this.#pathLength = 0;
    this.#failure = undefined;
    this.#holesInherit = undefined;
    if (this.#height > MAX_RECURSION_DEPTH) {
      this.#path.length = 0;
      this.#containers.length = 0;
    } else {
      for (let depth = 0; depth < this.#height; depth++) this.#containers[depth] = undefined;
    }
    this.#height = 0;
  }

  /**
   * Writes a whole value. Throws only `CanonicalJsonError`: an exception from a getter, proxy or `toJSON` becomes its
   * cause.
   */
  root(value: unknown): void {
    try {
      const plain = this.#plain(value, "");
      if (plain === undefined) this.reject("undefined", `a top-level ${typeof value} has no JSON form`);
      this.value(plain, 0);
    } catch (error) {
      if (error === this.#failure) throw error;
      throw new CanonicalJsonError("unreadable", this.#pointer(), `reading the value failed: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Returns the text written so far, for use in other values. */
  toPart(): WrittenPart {
    return { text: this.out.toText(), height: this.#height, options: this.options };
  }

  value(value: unknown, depth: number): void {
    if (typeof value === "string") {
      if (!this.out.string(value, this.options.strict)) this.#rejectSurrogate();
    } else if (typeof value === "number") {
      this.#number(value);
    } else if (typeof value !== "object" || value === null) {
      this.out.literal(String(value));
    } else if (parts.isPart(value)) {
      parts.write(this, value, depth);
    } else if (depth < MAX_RECURSION_DEPTH) {
      writeByRecursion(this, value as Container, depth);
    } else {
      this.#container(value as Container, depth);
    }
  }

  #number(value: number): void {
    if (Number.isFinite(value)) this.out.number(value);
    else if (this.options.strict) this.reject("non-finite", `${value} has no JSON form`);
    else this.out.literal("null");
  }

  /** Writes an array or object with its own stack, so that nesting never overflows the call stack. Cycles end here. */
  #container(root: Container, rootDepth: number): void {
    const stack = [this.#open(root, rootDepth)];
    const ancestors = new Set<object>([root]);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const depth = rootDepth + stack.length;
      if (frame.next === frame.count) {
        this.out.byte(frame.keys === undefined ? CLOSE_ARRAY : CLOSE_OBJECT);
        ancestors.delete(frame.node);
        stack.pop();
        continue;
      }
      const value = this.#startNext(frame, depth - 1);
      if (typeof value !== "object" || value === null || parts.isPart(value)) {
        if (value !== undefined) this.value(value, depth);
        continue;
      }
      const opened = this.#open(value as Container, depth);
      if (ancestors.has(value)) this.#rejectCycle();
      ancestors.add(value);
      stack.push(opened);
    }
  }

  #open(node: Container, depth: number): Frame {
    const keys = Array.isArray(node) ? undefined : this.enterObject(node, depth).keys;
    const count = keys?.length ?? this.enterArray(node as unknown as readonly unknown[], depth);
    return { node, keys, count, next: 0, first: true };
  }

  /** Reads the next member of a frame and writes the text before its value; `undefined` if nothing is written. */
  #startNext(frame: Frame, depth: number): unknown {
    const { keys, node, first } = frame;
    const next = frame.next++;
    if (keys === undefined) {
      if (next > 0) this.out.byte(COMMA);
      return this.element(node as unknown as readonly unknown[], next, depth);
    }
    const key = keys[next] as string;
    const value = this.member(node, key, depth);
    if (value === undefined) return undefined;
    this.key(key, first);
    frame.first = false;
    return value;
  }

  enterObject(node: Container, depth: number): SortedKeys {
    this.#enter(node, depth);
    const sorted = this.options.sortedKeys(node);
    if (sorted.keys.length === 0) checkEmpty(node, this.reject);
    this.out.byte(OPEN_OBJECT);
    return sorted;
  }

  enterArray(node: readonly unknown[], depth: number): number {
    this.#enter(node, depth);
    this.#holesInherit ??= this.options.strict && somethingInherited([]);
    this.out.byte(OPEN_ARRAY);
    return node.length;
  }

  #enter(node: object, depth: number): void {
    this.addLevels(depth + 1);
    this.#containers[depth] = node;
  }

  addLevels(height: number): void {
    if (height <= this.#height) return;
    if (height > this.options.maxDepth)
      this.reject("too-deep", `nesting exceeds the limit of ${this.options.maxDepth}`);
    this.#height = height;
  }

  member(node: Container, key: PathSegment, depth: number): unknown {
    this.#path[depth] = key;
    this.#pathLength = depth + 1;
    const value = node[key];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
      return value;
    }
    return this.#plain(value, key);
  }

  element(node: readonly unknown[], index: number, depth: number): unknown {
    const value = this.member(node as unknown as Container, index, depth);
    const isHole = this.#holesInherit === true && index in Array.prototype && !Object.hasOwn(node, index);
    if (value !== undefined && !isHole) return value;
    if (this.options.strict) this.reject("undefined", "an array element is undefined or a hole");
    return null;
  }

  #plain(value: unknown, key: PathSegment): unknown {
    return toPlainValue(value, key, this.options.strict, this.reject);
  }

  key(key: string, first: boolean): void {
    if (!this.out.key(key, first, this.options.strict)) this.#rejectSurrogate();
  }

  #rejectSurrogate(): never {
    return this.reject("lone-surrogate", "a string has a lone surrogate, which UTF-8 cannot encode");
  }

  /**
   * Rejects the container that was opened last, because it contains itself. The error names the first place where a
   * container recurs.
   */
  #rejectCycle(): never {
    const seen = new Set<object | undefined>();
    this.#pathLength = this.#containers.findIndex((container) => seen.size === seen.add(container).size);
    return this.reject("cycle", "the value contains itself");
  }

  readonly reject = (code: CanonicalJsonErrorCode, message: string): never => {
    this.#failure = new CanonicalJsonError(code, this.#pointer(), message);
    throw this.#failure;
  };

  #pointer(): string {
    return toPointer(this.#path.slice(0, this.#pathLength));
  }
}

/**
 * Returns whether an array without elements has enumerable members, which means that something was assigned to a
 * prototype of all arrays.
 */
function somethingInherited(empty: readonly unknown[]): boolean {
  for (const _ in empty) return true;
  return false;
}

/** Returns a thrown value as text. The value can be of any type, and reading it can throw. */
function reasonOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an unreadable reason";
  }
}
