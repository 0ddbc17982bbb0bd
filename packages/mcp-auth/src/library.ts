import { AuthorizationResponseError, allowInsecureRequests, customFetch, ResponseBodyError } from "oauth4webapi";
import { AuthError } from "./errors.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { quoted } from "./http/quoted.ts";

interface LibraryRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams | undefined;
}

/** The options that every request of the library takes. */
export interface LibraryOptions {
  [customFetch]: (url: string, request: LibraryRequest) => Promise<Response>;
  [allowInsecureRequests]: boolean;
}

/** Returns the options with which the library sends its requests by {@link AuthHttp}, which decides about addresses. */
export function requestOptions(http: AuthHttp): LibraryOptions {
  return {
    [customFetch]: (url, { method, headers, body }) => http.fetch(url, { method, headers, body }),
    [allowInsecureRequests]: true,
  };
}

/**
 * Runs a step of the library and returns its result.
 *
 * @param step The step, as the error names it
 * @throws {@link AuthError} `auth-denied` with the code of the authorization server, `auth-response` for any other answer
 */
export async function inLibrary<T>(step: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AuthError) throw error;
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
      const about = error.error_description === undefined ? "" : ` (${quoted(error.error_description)})`;
      throw new AuthError("auth-denied", `the authorization server refused ${step}: ${quoted(error.error)}${about}`);
    }
    // An error of the library can hold the parameters of the response: neither they nor the error are passed on.
    const reason = error instanceof Error ? error.message : "the thrown value is not an error";
    throw new AuthError("auth-response", `the answer to ${step} cannot be used: ${quoted(reason)}`);
  }
}
