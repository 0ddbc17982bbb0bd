import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { objectAt, readObject, textAt } from "../json-file.ts";

/** A package in npm's list of a folder's packages. */
export interface InstalledEntry {
  /** Its folder, relative to the folder of all packages. */
  readonly place: string;
  readonly name: string;
  /** `name@version`. */
  readonly title: string;
  /** Its entry in the list. */
  readonly own: JsonObject;
}

/**
 * Returns the packages that npm installed into a folder, according to npm's own list.
 *
 * @param list `package-lock.json` also lists the packages for other platforms
 * @throws {@link ArtifactError} `unreadable`
 */
export async function installedEntries(
  folder: string,
  list = "node_modules/.package-lock.json",
): Promise<readonly InstalledEntry[]> {
  const packages = objectAt((await readObject(join(folder, list))) ?? {}, "packages");
  return Object.entries(packages)
    .filter(([place]) => place !== "")
    .map(([place, entry]) => {
      const own = isJsonObject(entry) ? entry : {};
      const name = textAt(own, "name") ?? place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
      return { place, name, title: `${name}@${textAt(own, "version") ?? ""}`, own };
    });
}
