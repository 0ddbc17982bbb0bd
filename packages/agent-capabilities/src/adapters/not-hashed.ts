/** Prototypes beyond this one are ignored: a proxy could name another prototype forever. */
const MAX_PROTOTYPES = 16;

/**
 * Returns the sorted names of the members, own and inherited, of another library's tool that its static hash does not
 * cover. Members that are `undefined` are left out. No getter is called.
 *
 * @param covered - Names of the members that the hash covers, or that do not define the tool.
 */
export function namesNotHashed(source: object, covered: readonly string[]): readonly string[] {
  const names = new Set<string>();
  let level: object | null = source;
  for (let count = 0; level !== null && level !== Object.prototype && count < MAX_PROTOTYPES; count++) {
    for (const [name, isSet] of ownMembers(level)) if (isSet) names.add(name);
    level = Reflect.getPrototypeOf(level);
  }
  for (const name of [...covered, "constructor"]) names.delete(name);
  return [...names].sort();
}

/** Like {@link namesNotHashed}, but only for own members, because the library's classes are not part of a tool. */
export function ownNamesNotHashed(source: object, covered: readonly string[]): readonly string[] {
  const named = ownMembers(source).filter(([name, isSet]) => isSet && !covered.includes(name));
  return named.map(([name]) => name).sort();
}

function ownMembers(source: object): (readonly [name: string, isSet: boolean])[] {
  return Reflect.ownKeys(source).map((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(source, key);
    return [String(key), descriptor?.get !== undefined || descriptor?.value !== undefined] as const;
  });
}
