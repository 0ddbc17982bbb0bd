import type { LaunchValues, ServerTarget } from "../launch/server-target.ts";
import { isExplained } from "../run/errors.ts";
import type { Agreement } from "./compare-configs.ts";

/**
 * Returns the servers to visit, by name: those of the lock, with the values of a client whose launch matches the lock.
 * A server that clients launch differently is left out, unless changed launches are allowed.
 *
 * @param locked The servers of the lock, with the values of the environment
 * @param mayStart Whether launches that differ from the lock are started
 */
export async function agreedTargets(
  locked: readonly ServerTarget[],
  { same, other, unpinned }: Pick<Agreement, "same" | "other" | "unpinned">,
  mayStart: boolean,
): Promise<ServerTarget[]> {
  const known = locked.map(async (target): Promise<ServerTarget[]> => {
    const otherwise = other.get(target.name);
    if (mayStart && otherwise) return [otherwise];
    const configured = same.get(target.name);
    if (configured !== undefined) return [await completeTarget(configured, target)];
    return otherwise ? [] : [target];
  });
  return [...(await Promise.all(known)).flat(), ...(mayStart ? unpinned.values() : [])];
}

/** The target of a configuration, or where the configuration lacks a value, that of the lock with the values of the environment. */
async function completeTarget(configured: ServerTarget, locked: ServerTarget): Promise<ServerTarget> {
  try {
    await configured.readValues();
    return { ...configured, readValues: async () => spelledAs(locked, await configured.readValues()) };
  } catch (error) {
    if (!isExplained(error)) throw error;
    const readValues = async (): Promise<LaunchValues> => {
      try {
        return await locked.readValues();
      } catch {
        throw error;
      }
    };
    return { ...locked, readValues };
  }
}

/** The values of headers by the names that the lock has for them: their case makes no difference. */
function spelledAs({ launch }: ServerTarget, values: LaunchValues): LaunchValues {
  if (launch.type === "stdio") return values;
  const spelling = new Map(launch.headers.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [spelling.get(name.toLowerCase()) ?? name, value]),
  );
}
