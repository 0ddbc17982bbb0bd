import { MAX_CONFIG_BYTES } from "@agentprint/client-configs";
import type { Launch } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import { readRegularFile } from "../files/read-input.ts";
import type { LaunchValues, ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { heldBack } from "./hold-back-launches.ts";
import type { Base } from "./read-base.ts";

/**
 * Returns the targets, but fails those before they start whose values of variables or headers come from a configuration
 * of the change and differ from the values in the configuration and the env files of the base.
 */
export function holdBackValues(
  context: Context,
  targets: readonly ServerTarget[],
  base: Base,
  lock: string,
): ServerTarget[] {
  const ofBase = new Map<string, Promise<readonly ServerTarget[]>>();
  const targetsAtBase = (file: string) => {
    const targets = ofBase.get(file) ?? readAtBase(context, file, base, lock);
    ofBase.set(file, targets);
    return targets;
  };
  return targets.map((target): ServerTarget => {
    const { name, config } = target;
    if (config === undefined || config === "-" || !base.commit.canHave(config)) return target;
    return {
      ...target,
      readValues: async () => {
        const values = await target.readValues();
        const hasSecret = isRedacted(redactLaunch(target.launch));
        if (Object.keys(values).length === 0 && !hasSecret) return values;
        const before = (await targetsAtBase(config)).find((each) => each.name === name);
        const pinned = base.lock?.servers.find((entry) => entry.name === name);
        const names = Object.keys(values).filter((each) => pinned !== undefined && isNamedIn(pinned, each));
        const other = firstOther(names, values, (await before?.readValues()) ?? {});
        if (other !== undefined)
          throw heldBack(`${config} gives ${name} another value of ${other} than in ${base.name}`);
        // A pinned launch keeps no secrets, so that any text could stand in the place of one.
        if (hasSecret && !hasSameWords(target.launch, before?.launch))
          throw heldBack(`${config} gives ${name} a launch with another secret than in ${base.name}`);
        return values;
      },
    };
  });
}

/** Whether a pinned launch has a variable or header, in any case: a launch with another name is not the pinned one. */
function isNamedIn({ launch }: LockedServer, name: string): boolean {
  const names = launch.type === "stdio" ? launch.env : launch.headers;
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

function hasSameWords(launch: Launch, before: Launch | undefined): boolean {
  const wordsOf = (each: Launch) => (each.type === "http" ? [each.url] : [each.command, each.cwd, ...each.args]);
  return before !== undefined && JSON.stringify(wordsOf(launch)) === JSON.stringify(wordsOf(before));
}

function firstOther(names: readonly string[], values: LaunchValues, before: LaunchValues): string | undefined {
  return names.find((name) => !Object.hasOwn(before, name) || before[name] !== values[name]);
}

/** The targets that a configuration describes in a base, with the values that the env files of the base give. */
async function readAtBase(
  context: Context,
  file: string,
  { commit }: Base,
  lock: string,
): Promise<readonly ServerTarget[]> {
  const bytes = await commit.read(file, MAX_CONFIG_BYTES);
  if (bytes === undefined) return [];
  const { readConfigText } = await import("../clients/read-config.ts");
  const readNamedFile = async (named: string, maxBytes: number): Promise<Uint8Array> => {
    if (!commit.canHave(named)) return readRegularFile(context, named, maxBytes);
    return (await commit.read(named, maxBytes)) ?? new Uint8Array();
  };
  return readConfigText(context, new TextDecoder().decode(bytes), file, { lock, readNamedFile });
}
