// A process that only passes requests and responses on: the lower bound of a guard's cost over HTTP.
import { Agent, request as ask, createServer } from "node:http";

const target = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((request, response) => {
  const { method, headers } = request;
  const asked = ask(target, { method, headers: { ...headers, host: target.host }, agent }, (answered) => {
    response.writeHead(answered.statusCode, answered.headers);
    answered.pipe(response);
  });
  request.pipe(asked);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
