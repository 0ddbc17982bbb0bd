import { readFileSync } from "node:fs";
import { sendResult, serve, tool } from "./protocol.mjs";

// Describes its tool by what a file in its folder holds.
serve(({ id }) => sendResult(id, { tools: [tool("read", readFileSync("description.txt", "utf8"))] }));
