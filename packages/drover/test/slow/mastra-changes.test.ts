import { checkTable } from "../one-change/check-table.ts";
import { mastraChanges } from "./mastra-changes.ts";

checkTable(["Mastra", mastraChanges]);
