import { printable } from "@agentprint/canonical-json";
import { VisitError } from "../errors.ts";
import type { HttpAuthorization, UnauthorizedRequest } from "../target.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Returns the headers that authorize a request; none if there is no authorization. @throws {@link VisitError}
 * `server-unauthorized`
 */
export async function authorizedHeaders(
  authorization: HttpAuthorization | undefined,
  request: UnauthorizedRequest,
): Promise<Headers> {
  return authorization === undefined ? {} : asVisit(() => authorization.headers(request));
}

/**
 * Returns whether the authorization wants a refused request to be sent again. @throws {@link VisitError}
 * `server-unauthorized`
 */
export async function isSentAgain(
  authorization: HttpAuthorization | undefined,
  response: Response,
  sent: Headers,
): Promise<boolean> {
  const denied = response.status === 401 || response.status === 403;
  return denied && authorization !== undefined && asVisit(() => authorization.refused(response, sent));
}

async function asVisit<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof VisitError || !(error instanceof Error)) throw error;
    const details = "details" in error && typeof error.details === "object" ? error.details : {};
    throw new VisitError("server-unauthorized", printable(error.message, 1000), { ...details, cause: error });
  }
}
