import { readFileSync } from "node:fs";
import { sendResult, serve, tool } from "./protocol.mjs";

// Describes its tool with the text of a file in its folder.
serve(({ id }) => sendResult(id, { tools: [tool("read", readFileSync("description.txt", "utf8"))] }));
