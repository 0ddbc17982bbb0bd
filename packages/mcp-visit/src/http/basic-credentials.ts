import { checkArgument } from "../check-argument.ts";
import { decodePercent } from "../decode-percent.ts";

/**
 * Returns the header that sends a URL's user information, or no header if the URL has none; the URL in a request must
 * not contain user information (RFC 9110, 4.2.4).
 *
 * @example
 * ```ts
 * import { basicCredentials } from "@agentprint/mcp-visit";
 *
 * basicCredentials(new URL("https://ann:s%40fe@host/mcp"))["authorization"]; // "Basic YW5uOnNAZmU="
 * ```
 */
export function basicCredentials(url: URL): Record<string, string> {
  checkArgument("url", url, { username: "string", password: "string" });
  const { username, password } = url;
  if (username === "" && password === "") return {};
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString("base64");
  return { authorization: `Basic ${credentials}` };
}
