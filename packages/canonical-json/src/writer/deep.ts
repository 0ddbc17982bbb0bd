import { CanonicalPart } from "./canonical-part.ts";
import type { Container, Writer } from "./writer.ts";

interface Frame {
  readonly node: Container | readonly unknown[];
  /** Sorted keys of an object; `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  next: number;
  first: boolean;
}

/** Writes a container that lies too deep for the call stack, with a stack of its own that also finds cycles. */
export function writeDeep(writer: Writer, root: Container, rootDepth: number): void {
  const stack: Frame[] = [];
  const ancestors = new Set<object>();

  const open = (node: Container): void => {
    const depth = rootDepth + stack.length;
    const isArray = Array.isArray(node);
    const keys = isArray ? undefined : writer.enterObject(node, depth).keys;
    const count = isArray ? writer.enterArray(node, depth) : (keys as string[]).length;
    if (ancestors.has(node)) writer.rejectCycle();
    ancestors.add(node);
    stack.push({ node, keys, count, next: 0, first: true });
  };

  open(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.count) {
      writer.out.byte(frame.keys === undefined ? 0x5d : 0x7d);
      ancestors.delete(frame.node);
      stack.pop();
      continue;
    }
    const depth = rootDepth + stack.length - 1;
    const value = writeStart(writer, frame, depth);
    if (value === undefined) continue;
    frame.first = false;
    const isContainer = typeof value === "object" && value !== null && !(value instanceof CanonicalPart);
    if (isContainer) open(value as Container);
    else writer.value(value, depth + 1);
  }
}

/** Reads the next member of a frame and writes what stands before its value. */
function writeStart(writer: Writer, frame: Frame, depth: number): unknown {
  const { keys, node, next } = frame;
  frame.next++;
  if (keys === undefined) {
    if (next > 0) writer.out.byte(0x2c);
    return writer.element(node as readonly unknown[], next, depth);
  }
  const key = keys[next] as string;
  const value = writer.read(node as Container, key, depth);
  if (value !== undefined) writer.key(key, frame.first);
  return value;
}
