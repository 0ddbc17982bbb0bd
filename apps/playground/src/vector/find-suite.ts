/** Which ids are in which suite: the ids without their numbers, by the name of the suite. */
export type VectorIndex = Readonly<Record<string, readonly string[]>>;

/** The suite that an id is in, or that is named; `undefined` where there is none. */
export function findSuite(index: VectorIndex, asked: string): string | undefined {
  if (Object.hasOwn(index, asked)) return asked;
  const [, prefix] = /^(.+)-\d+$/.exec(asked) ?? [];
  return Object.entries(index).find(([, ids]) => prefix !== undefined && ids.includes(prefix))?.[0];
}
