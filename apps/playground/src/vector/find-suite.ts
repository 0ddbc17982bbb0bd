/** The ids of the vectors in each suite, without their numbers, by the name of the suite. */
export type VectorIndex = Readonly<Record<string, readonly string[]>>;

/** A suite, and the id of a vector in it; the id matches no vector if the entire suite is meant. */
export interface FoundVector {
  readonly suite: string;
  readonly id: string;
}

/**
 * Returns the suite that contains an id, or that is named, alone or before `/` and an id; `undefined` if there is none.
 */
export function findSuite(index: VectorIndex, asked: string): FoundVector | undefined {
  if (Object.hasOwn(index, asked)) return { suite: asked, id: "" };
  const [, named, id = "", prefix = ""] = /^(?:(.+)\/)?(([^/]+)-\d+)$/.exec(asked) ?? [];
  const suites = named === undefined ? Object.keys(index) : [named];
  const suite = suites.find((name) => Object.hasOwn(index, name) && index[name]?.includes(prefix));
  return suite === undefined ? undefined : { suite, id };
}
