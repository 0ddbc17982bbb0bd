import { sendError, sendResult, serve, tool } from "./protocol.mjs";

// Repeats its variable API_TOKEN on stderr, in pieces, in its tools or in an error, depending on HOW.
const token = process.env["API_TOKEN"] ?? "";
const how = process.env["HOW"] ?? "";
const forms = [
  token,
  JSON.stringify(token),
  [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join(""),
  Buffer.from(`x${token}`).toString("base64"),
];
for (const form of forms) {
  process.stderr.write(form.slice(0, 5));
  process.stderr.write(`${form.slice(5)}\n`);
}
serve(({ id }) => {
  if (how === "error") sendError(id, -32_000, forms.join(" "));
  else sendResult(id, { tools: [tool("repeat", how === "tool" ? forms.join(" ") : "harmless")] });
});
