import {
  allowInsecureRequests,
  customFetch,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";

/** The demands of a server that refused a request. */
export interface Challenge {
  /** The address of the resource metadata. */
  readonly resourceMetadata?: string | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  /**
   * The algorithms of the proofs (DPoP) that the server requires; empty if it names none, absent if it requires no
   * proofs.
   */
  readonly proofAlgorithms?: readonly string[] | undefined;
}

/** Returns the Bearer or DPoP challenge in a response; empty if the response has none. */
export async function readChallenge(response: Response): Promise<Challenge> {
  const copy = new Response(null, { status: response.status, headers: response.headers });
  try {
    // The library parses challenges only in the answer to a request that it sends.
    await protectedResourceRequest("none", "GET", new URL("https://none.invalid"), undefined, undefined, {
      [customFetch]: async () => copy,
      [allowInsecureRequests]: true,
    });
  } catch (error) {
    if (!(error instanceof WWWAuthenticateChallengeError)) throw error;
    const [bearer, dpop] = ["bearer", "dpop"].map(
      (name) => error.cause.find(({ scheme }) => scheme === name)?.parameters,
    );
    const { resource_metadata: resourceMetadata, scope, error: code } = { ...bearer, ...dpop };
    const proofAlgorithms = dpop && (dpop["algs"]?.split(" ") ?? []);
    return { resourceMetadata, scope, error: code, proofAlgorithms };
  }
  return {};
}
