// The trap must catch each line: each breaks purity once.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

export const impure: unknown[] = [process.env["HOME"], randomUUID(), new Date(), readFileSync(import.meta.filename)];
console.error("impure");
