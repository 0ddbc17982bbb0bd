// Each line breaks purity once, and the trap must catch each.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

export const impure: unknown[] = [process.env["HOME"], randomUUID(), new Date(), readFileSync(import.meta.filename)];
console.error("impure");
