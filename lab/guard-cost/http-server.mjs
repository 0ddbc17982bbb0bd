import { createServer } from "node:http";
import { answerTo } from "./answers.mjs";

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text) => {
    body += text;
  });
  request.on("end", () => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(body);
    if (message.id === undefined) return response.writeHead(202).end();
    const text = JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answerTo(message) });
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
