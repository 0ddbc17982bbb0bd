/** What of an object is data: functions and `undefined` are left out, and so are the named keys. */
export function plainFields(source: object, except: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(source).filter(
      ([key, value]) => !except.includes(key) && value !== undefined && typeof value !== "function",
    ),
  );
}

/**
 * Functions among the members of an object, by name and in code-unit order: what they do is not hashed, that they are
 * there is.
 */
export function functionIds(source: object, except: readonly string[] = []): { id: string }[] {
  return Object.entries(source)
    .filter(([key, value]) => !except.includes(key) && typeof value === "function")
    .map(([key]) => key)
    .sort()
    .map((id) => ({ id }));
}
