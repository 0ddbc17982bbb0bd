/**
 * Returns the name and the version in `name@1.2.3`. The tags of a wheel, after `/`, are not part of its version; the
 * name of an npm package may contain both `@` and `/`.
 */
export function readTitle(title: string): readonly [name: string, version: string] {
  const end = title.lastIndexOf("@");
  return [title.slice(0, end), title.slice(end + 1).split("/")[0] as string];
}
