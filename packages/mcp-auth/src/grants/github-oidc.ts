import { isJsonObject, parseJson } from "@agentprint/canonical-json";
import { AuthError } from "../errors.ts";
import type { AuthHttp } from "../http/auth-http.ts";

/**
 * Returns a token in which GitHub states the repository and the job that requested it.
 *
 * @param variable Reads a variable of the job; throws if it is not set
 * @param audience The party that the token is meant for
 * @throws {@link AuthError} `auth-credential` if GitHub issues no token; and as {@link AuthHttp.fetch}
 */
export async function githubToken(
  http: AuthHttp,
  variable: (name: string) => string,
  audience: string,
): Promise<string> {
  const address = http.address(variable("ACTIONS_ID_TOKEN_REQUEST_URL"), "ACTIONS_ID_TOKEN_REQUEST_URL");
  address.searchParams.set("audience", audience);
  const authorization = `Bearer ${variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN")}`;
  const response = await http.fetch(address.href, { headers: { authorization, accept: "application/json" } });
  const token = response.status === 200 ? tokenIn(await response.text()) : undefined;
  if (token !== undefined) return token;
  throw new AuthError("auth-credential", `GitHub issued no token for the job: HTTP ${response.status}`, {
    expected: "a job with the permission id-token: write",
  });
}

function tokenIn(text: string): string | undefined {
  try {
    const answer = parseJson(text);
    const value = isJsonObject(answer) ? answer["value"] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  } catch {
    return undefined;
  }
}
