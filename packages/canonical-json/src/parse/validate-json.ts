import type { ParseLimits } from "./limits.ts";
import { TextScanner } from "./text-scanner.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Accepts a strict I-JSON text (RFC 8259, RFC 7493 §2) or throws for its first offence, in the order of the text.
 *
 * This is the one place that decides what is accepted. It keeps its own stack and takes linear time.
 */
export function validateJson(text: string, limits: ParseLimits): void {
  new Validator(text, limits).root();
}

class Validator {
  private readonly scanner: TextScanner;
  private readonly maxDepth: number;
  /** One entry for each open container: the names seen in an object, `undefined` for an array. */
  private readonly open: (Set<string> | undefined)[] = [];

  constructor(text: string, limits: ParseLimits) {
    this.scanner = new TextScanner(text, limits.maxNumber);
    this.maxDepth = limits.maxDepth;
  }

  root(): void {
    const { scanner } = this;
    do this.value();
    while (this.next());
    if (scanner.offset < scanner.text.length) scanner.fail("trailing-data", "the end of the text", scanner.offset);
  }

  /** Reads a scalar or an empty container, or opens containers up to the first of these in them. */
  private value(): void {
    const { scanner } = this;
    let c = scanner.peek();
    while (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (!this.enter(c === OPEN_OBJECT)) return;
      c = scanner.peek();
    }
    if (c === QUOTE) scanner.string();
    else scanner.scalar();
  }

  /** Closes the containers that end after a value; true when another value follows. */
  private next(): boolean {
    const { scanner } = this;
    for (;;) {
      const c = scanner.peek();
      if (this.open.length === 0) return false;
      const names = this.open.at(-1);
      const segment = scanner.path.pop();
      if (c === COMMA) {
        scanner.offset++;
        if (names) this.name();
        else scanner.path.push(Number(segment) + 1);
        return true;
      }
      if (c !== (names ? CLOSE_OBJECT : CLOSE_ARRAY)) scanner.unexpected(names ? '"," or "}"' : '"," or "]"');
      this.leave();
    }
  }

  /** Opens a container up to its first value; false when it is empty, and closed again. */
  private enter(isObject: boolean): boolean {
    const { scanner } = this;
    if (this.open.length >= this.maxDepth) {
      scanner.fail("too-deep", `at most ${this.maxDepth} levels of nesting`, scanner.offset, "one more");
    }
    this.open.push(isObject ? new Set() : undefined);
    scanner.offset++;
    if (scanner.peek() === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      this.leave();
      return false;
    }
    if (isObject) this.name();
    else scanner.path.push(0);
    return true;
  }

  private leave(): void {
    this.open.pop();
    this.scanner.offset++;
  }

  /** Reads a member name and the colon after it. */
  private name(): void {
    const { scanner } = this;
    if (scanner.peek() !== QUOTE) scanner.unexpected("a member name in double quotes");
    const start = scanner.offset;
    const raw = scanner.string();
    const name: string = raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
    const names = this.open.at(-1);
    scanner.path.push(name);
    if (names?.has(name)) scanner.fail("duplicate-key", "each member name once", start, `"${raw}" again`);
    names?.add(name);
    if (scanner.peek() !== COLON) scanner.unexpected('":"');
    scanner.offset++;
  }
}
