/**
 * Packs every public package once, as for publication: `node apps/scripts/src/pack.ts <folder>`, after `pnpm build`.
 * The scripts that need tarballs take them from the folder that the variable `AGENTPRINT_TARBALLS` names.
 */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { packAll } from "./packed-packages.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected a folder, received none: node apps/scripts/src/pack.ts <folder>");
mkdirSync(folder, { recursive: true });
console.log(`${packAll(resolve(folder))} packages packed into ${folder}`);
