import type { JsonValue } from "@agentprint/canonical-json/json-value";

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;
const METADATA = /\bresource_metadata\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,"]+)/gis;

/**
 * Returns a server's challenge (`WWW-Authenticate`) for clients, with the address of the server's metadata behind the
 * guard.
 *
 * @param shown Returns a text in the form in which a client sees it
 */
export function shownChallenge(
  challenge: string,
  metadata: string,
  shown: (text: string) => JsonValue | undefined,
): string {
  const show = (text: string): string => {
    // A header is bytes: some clients read them as UTF-8, others byte by byte.
    const readings = [text, Buffer.from(text, "latin1").toString("utf8")];
    const changed = readings.map(shown).find((each, index) => each !== readings[index]);
    return changed === undefined ? text : typeof changed === "string" ? changed : "";
  };
  const quoted = challenge.replace(QUOTED, (value) => {
    const left = show(value);
    return left === value ? value : `"${left}"`;
  });
  const ours = `resource_metadata="${metadata}"`;
  return show(quoted) === quoted ? quoted.replace(METADATA, () => ours) : `Bearer ${ours}`;
}
