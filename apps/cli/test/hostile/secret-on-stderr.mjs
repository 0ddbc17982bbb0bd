import { sendResult, serve, tool } from "./protocol.mjs";

process.stderr.write(`token ${process.env["API_TOKEN"]}\n`);
serve(({ id }) => sendResult(id, { tools: [tool(`has-token-${process.env["API_TOKEN"] !== undefined}`)] }));
