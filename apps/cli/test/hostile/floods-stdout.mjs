// Writes well-formed notifications as fast as they are taken, without end.
const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(1000) } })}\n`;
function flood() {
  while (process.stdout.write(line));
  process.stdout.once("drain", flood);
}
flood();
