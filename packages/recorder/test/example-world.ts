import { writeFileSync } from "node:fs";
import { createRecorder, type Recorder } from "../src/index.ts";

// Names that the examples in the documentation use without declaring them, and the file that they read.

export const secret: Uint8Array = new Uint8Array(32).fill(7);

writeFileSync("trail.jsonl", "");

export const recorder: Recorder = await createRecorder({ store: "recorded", key: secret, agentId: "planner" });
