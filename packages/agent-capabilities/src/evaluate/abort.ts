import { CapabilityError } from "../errors.ts";

/** Throws an `aborted` error once a signal has fired. The signal's reason is its `cause`. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw aborted(signal, what);
}

/** Returns the result of `work`, or an `aborted` error as soon as the signal fires, even if `work` ignores the signal. */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  what: string,
  work: () => T | PromiseLike<T>,
): Promise<T> {
  throwIfAborted(signal, what);
  if (signal === undefined) return work();
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(aborted(signal, what));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    // `race` awaits both promises before either can reject: an unhandled rejection would end the process.
    return await Promise.race([stopped, new Promise<T>((resolve) => resolve(work()))]);
  } finally {
    signal.removeEventListener("abort", stop as () => void);
  }
}

function aborted(signal: AbortSignal, what: string): CapabilityError {
  return new CapabilityError("aborted", `${what} was aborted`, { cause: signal.reason });
}
