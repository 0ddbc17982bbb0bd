import { checkTable } from "./check-table.ts";
import { TABLES } from "./tables.ts";

for (const table of TABLES) checkTable(table);
