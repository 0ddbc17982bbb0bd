/** The user information of a URL as the header that sends it: a URL in a request has none (RFC 9110, 4.2.4). */
export function basicCredentials({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return { authorization: `Basic ${credentials}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
