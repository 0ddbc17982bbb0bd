import { writeFileSync } from "node:fs";
import { manifestJsonSchema } from "../src/index.ts";

const file = new URL("../schema/capability-manifest.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
