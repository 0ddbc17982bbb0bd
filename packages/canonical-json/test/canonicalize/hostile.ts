import { CanonicalJsonError } from "@agentprint/canonical-json";

export const PROFILES = ["rfc8785", "ecmascript"] as const;

/** Returns the error that a job throws; anything else fails the test. */
export function thrown(job: () => unknown): CanonicalJsonError {
  try {
    job();
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

export function nest(depth: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}
