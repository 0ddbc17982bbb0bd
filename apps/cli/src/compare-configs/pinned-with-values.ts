import type { LockedServer } from "@agentprint/mcp-lock/lock";
import { type LaunchValues, type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { isExplained } from "../run/errors.ts";

/**
 * The pinned launch with the values that an entry with another launch has for its variables or headers. What the entry lacks comes
 * from the environment.
 */
export function pinnedWithValues(
  context: Context,
  { name, launch }: LockedServer,
  configured: ServerTarget,
): ServerTarget {
  const names = launch.type === "stdio" ? launch.env : launch.headers;
  const spell = (each: string): string => (launch.type === "stdio" ? each : each.toLowerCase());
  const { config } = configured;
  return {
    name,
    launch,
    ...(config !== undefined && { config }),
    readValues: async () => {
      const isSameKind = launch.type === configured.launch.type;
      const values = (isSameKind ? await valuesOf(configured) : undefined) ?? {};
      const given = new Map(Object.entries(values).map(([each, value]) => [spell(each), value]));
      const missing = names.filter((each) => !given.has(spell(each)));
      const rest = launch.type === "stdio" ? { ...launch, env: missing } : { ...launch, headers: missing };
      const own = names.flatMap((each): [string, string][] => {
        const value = given.get(spell(each));
        return value === undefined ? [] : [[each, value]];
      });
      return { ...(await targetFromEnvironment(context, name, rest).readValues()), ...Object.fromEntries(own) };
    },
  };
}

/** Whether all values of a target are there. */
export async function hasValues(target: ServerTarget): Promise<boolean> {
  return (await valuesOf(target)) !== undefined;
}

async function valuesOf(target: ServerTarget): Promise<LaunchValues | undefined> {
  try {
    return await target.readValues();
  } catch (error) {
    if (isExplained(error)) return undefined;
    throw error;
  }
}
