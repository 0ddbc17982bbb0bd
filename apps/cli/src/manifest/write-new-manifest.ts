import { access } from "node:fs/promises";
import { formatJson } from "../files/format-json.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/**
 * Writes a manifest to a file that does not exist yet.
 *
 * @throws {@link CliError} `usage` when the file exists, `unwritable-output` when it cannot be written
 */
export async function writeNewManifest(
  context: Pick<Context, "pathOf">,
  file: string,
  manifest: object,
): Promise<void> {
  const exists = await access(context.pathOf(file)).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw new CliError("usage", `${file} exists, and an existing file is not overwritten`, {
      fix: "name another file, or remove this one",
    });
  }
  await replaceFile(context, file, formatJson(manifest, 2));
}
