import { fileURLToPath } from "node:url";

/** The folder of the repository, with a `/` at its end. */
export const REPOSITORY: string = fileURLToPath(new URL("../../../", import.meta.url));
