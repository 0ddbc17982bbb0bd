import { type AgentSpec, fingerprintSpec } from "@agentprint/drover";

/** Describes an agent with the given options in addition to those that it always has. */
type Describe = (options: { readonly [name: string]: unknown }) => AgentSpec | Promise<AgentSpec>;

/**
 * The values with which an option is tried. An option that a framework checks needs a value that the framework accepts;
 * any other option is given this value.
 */
const ANY = { changed: true };

/**
 * Returns the options whose changes are not shown: the fingerprint is the same with and without the option, and no
 * unseen part names it.
 *
 * @param place - The JSON Pointer to the object that contains the options.
 */
export async function silentOptions(
  names: readonly string[],
  describe: Describe,
  values: { readonly [name: string]: unknown },
  place: string,
): Promise<string[]> {
  const without = await describe({});
  const silent: string[] = [];
  for (const name of names) {
    const changed = await describe({ [name]: Object.hasOwn(values, name) ? values[name] : ANY });
    const drifts = fingerprintSpec(changed).sha256 !== fingerprintSpec(without).sha256;
    if (!drifts && !isNamed(changed, name, place)) silent.push(name);
  }
  return silent;
}

/** Returns whether an unseen part at or below the place names the option. */
function isNamed({ unseen = [] }: AgentSpec, option: string, place: string): boolean {
  const listed = new RegExp(`(?:: |, |: not |such as |and )${option}\\b`);
  return unseen.some(
    ({ path, message }) =>
      path === `${place}/${option}` ||
      path.startsWith(`${place}/${option}/`) ||
      ((path === place || path.startsWith(`${place}/`)) && listed.test(message)),
  );
}
