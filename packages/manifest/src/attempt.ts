/** Returns the result of a function, or `undefined` if a getter or proxy that it reads throws. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
