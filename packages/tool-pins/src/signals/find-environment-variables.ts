const VARIABLE =
  /\$(?:env:)?\{?([A-Z_][A-Z0-9_]{1,63})|%([A-Z_][A-Z0-9_]{1,63})%|\b(?:process\.env|import\.meta\.env|os\.environ)\b\W{0,4}(\w{0,64})|\b([A-Z][A-Z0-9]{0,63}(?:_[A-Z0-9]{1,63}){1,15})\b/g;

/**
 * Not variables: `$C2` and `$AB$12`, which are spreadsheet cells, and `%C2%A0`, which is an escaped character in an
 * address.
 */
const OTHER = /\$[A-Z]{1,2}\$?[1-9]\d{0,6}(?!\w)|%[A-F][0-9A-F]%[0-9A-F]{2}/y;

/**
 * Returns the names of environment variables in a text: `$HOME`, `${HOME}`, `%PATH%`, `process.env.HOME`, and bare
 * names of several words in capitals, such as `API_KEY`. A bare name that is the complete text does not count, because
 * `enum` values often have this form.
 */
export function findEnvironmentVariables(text: string): Set<string> {
  const whole = text.trim();
  const names = new Set<string>();
  for (const match of text.matchAll(VARIABLE)) {
    const [found, dollar, percent, member, bare] = match;
    OTHER.lastIndex = match.index;
    if (OTHER.test(text)) continue;
    const name = dollar ?? percent ?? member ?? bare;
    if (name !== undefined && (found !== whole || bare === undefined)) names.add(name === "" ? found : name);
  }
  return names;
}
