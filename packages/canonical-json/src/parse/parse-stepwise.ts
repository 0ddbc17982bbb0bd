import type { JsonValue } from "../json-value/json-value.ts";
import type { PathSegment } from "../json-value/pointer.ts";
import type { ParseLimits } from "./limits.ts";
import { TextScanner } from "./text-scanner.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An array that is not closed yet, or the members of an object so far. */
type Container = JsonValue[] | Map<string, JsonValue>;

/**
 * Returns the value of a strict I-JSON text (RFC 8259, RFC 7493 §2), or throws an error for the first fault in the
 * text.
 *
 * Only this parser decides what is accepted. It keeps its own stack, so that nesting never overflows the call stack,
 * and takes linear time.
 */
export function parseStepwise(text: string, limits: ParseLimits, visit?: VisitValue): JsonValue {
  const reader = new StepReader(new TextScanner(text, limits), limits.maxDepth, visit);
  const value = reader.value();
  reader.end();
  return value;
}

/**
 * Receives the start of each value. The path changes after the call, so a visitor must copy the parts that it keeps.
 */
type VisitValue = (path: readonly PathSegment[], offset: number) => void;

/**
 * Reads the parts of a text: complete values, and the separators between them. Each method throws if anything else is
 * in the text.
 */
export class StepReader {
  readonly #scanner: TextScanner;
  readonly #maxDepth: number;
  readonly #visit: VisitValue | undefined;
  readonly #open: Container[] = [];
  /** The containers around the scanner's text. */
  readonly #outer: number;

  constructor(scanner: TextScanner, maxDepth: number, visit?: VisitValue, outer = 0) {
    this.#scanner = scanner;
    this.#maxDepth = maxDepth;
    this.#visit = visit;
    this.#outer = outer;
  }

  /** Reads one value. */
  value(): JsonValue {
    let value = this.#value();
    for (let container = this.#open.at(-1); container !== undefined; container = this.#open.at(-1)) {
      value = this.#store(container, value) ? this.#value() : this.#leave();
    }
    return value;
  }

  /** Skips white space up to the end of the text. */
  end(): void {
    const scanner = this.#scanner;
    if (!Number.isNaN(scanner.peek())) scanner.fail("trailing-data", "the end of the text", scanner.offset);
  }

  /** Reads a scalar or an empty container, after it has opened the containers around it that start here. */
  #value(): JsonValue {
    const scanner = this.#scanner;
    let c = this.#start();
    while (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      const container = this.#enter(c === OPEN_OBJECT);
      if (scanner.peek() === closing(container)) return this.#leave();
      if (Array.isArray(container)) scanner.path.push(0);
      else this.#name(container);
      c = this.#start();
    }
    return c === QUOTE ? scanner.string() : scanner.scalar();
  }

  /** Returns the first code unit of a value. */
  #start(): number {
    const c = this.#scanner.peek();
    this.#visit?.(this.#scanner.path, this.#scanner.offset);
    return c;
  }

  /** Adds a value to its container. Returns `true` when another value follows in the same container. */
  #store(container: Container, value: JsonValue): boolean {
    const scanner = this.#scanner;
    const c = scanner.peek();
    const segment = scanner.path.pop();
    if (Array.isArray(container)) container.push(value);
    else container.set(String(segment), value);
    if (c === COMMA) {
      scanner.offset++;
      if (Array.isArray(container)) scanner.path.push(container.length);
      else this.#name(container);
      return true;
    }
    if (c !== closing(container)) this.unexpectedNext(Array.isArray(container));
    return false;
  }

  /** Reports that neither a comma nor the closing bracket follows a value in a container. */
  unexpectedNext(isArray: boolean): never {
    return this.#scanner.unexpected(isArray ? '"," or "]"' : '"," or "}"');
  }

  #enter(isObject: boolean): Container {
    const scanner = this.#scanner;
    if (this.#outer + this.#open.length >= this.#maxDepth) {
      scanner.fail("too-deep", `at most ${this.#maxDepth} levels of nesting`, scanner.offset, "one more");
    }
    const container: Container = isObject ? new Map() : [];
    this.#open.push(container);
    scanner.offset++;
    return container;
  }

  /** Closes the innermost container and returns its value. */
  #leave(): JsonValue {
    this.#scanner.offset++;
    const container = this.#open.pop() ?? [];
    return Array.isArray(container) ? container : Object.fromEntries(container);
  }

  /** Reads a member name and the colon after it. */
  #name(members: Map<string, JsonValue>): void {
    this.name((name) => members.has(name));
    this.colon();
  }

  /** Reads a member name, which becomes the end of the path. */
  name(isTaken: (name: string) => boolean): string {
    const scanner = this.#scanner;
    if (scanner.peek() !== QUOTE) scanner.unexpected("a member name in double quotes");
    const start = scanner.offset;
    const name = scanner.name();
    scanner.path.push(name);
    if (isTaken(name)) {
      scanner.fail(
        "duplicate-key",
        "each member name once",
        start,
        `${scanner.text.slice(start, scanner.offset)} again`,
      );
    }
    return name;
  }

  /** Reads the colon after a member name. */
  colon(): void {
    if (this.#scanner.peek() !== COLON) this.#scanner.unexpected('":"');
    this.#scanner.offset++;
  }
}

function closing(container: Container): number {
  return Array.isArray(container) ? CLOSE_ARRAY : CLOSE_OBJECT;
}
