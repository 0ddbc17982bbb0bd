import { fileURLToPath } from "node:url";
import { packageConfig } from "../../tsdown.config.ts";
import { SHEETS } from "./src/sheets.ts";

const sheets = fileURLToPath(new URL("src/sheets.ts", import.meta.url));

export default {
  ...packageConfig(),
  // A bundle that includes this package does not have the style sheets next to it.
  plugins: [
    {
      name: "sheets-inside",
      load: (id: string) => (id === sheets ? `export const SHEETS: string = ${JSON.stringify(SHEETS)};` : undefined),
    },
  ],
};
