import { AuthorizationResponseError, allowInsecureRequests, customFetch, ResponseBodyError } from "oauth4webapi";
import { AuthError } from "./errors.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { quoted } from "./http/quoted.ts";

interface LibraryRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams | undefined;
}

/** The options that every request of the library accepts. */
export interface LibraryOptions {
  [customFetch]: (url: string, request: LibraryRequest) => Promise<Response>;
  [allowInsecureRequests]: boolean;
}

/**
 * Returns the options that make the library send its requests through {@link AuthHttp}, which decides which addresses
 * are allowed.
 */
export function requestOptions(http: AuthHttp): LibraryOptions {
  return {
    [customFetch]: (url, { method, headers, body }) => http.fetch(url, { method, headers, body }),
    [allowInsecureRequests]: true,
  };
}

/**
 * Runs a step of the library and returns its result.
 *
 * @param step The step's name in the error message
 * @throws {@link AuthError} `auth-denied` with the authorization server's error code; `auth-response` for any other
 * unusable answer
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
    // The library's error can contain the response parameters, so neither of them is passed on.
    const reason = error instanceof Error ? error.message : "the thrown value is not an error";
    throw new AuthError("auth-response", `the answer to ${step} cannot be used: ${quoted(reason)}`);
  }
}
