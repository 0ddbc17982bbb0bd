import type { HttpAuthorization } from "@agentprint/mcp-visit";
import type { AskServer } from "./ask-server.ts";

/** The maximum number of times a request is sent if the server refuses it and the login changes. */
const MAX_ATTEMPTS = 3;

/**
 * Returns a requester whose requests use the guard's login. No client sees the login.
 *
 * @param address The server's address
 * @param onFailure Called with the error if the login cannot be used, in which case the request is not sent
 */
export function withLogin(
  ask: AskServer,
  address: string,
  login: HttpAuthorization,
  onFailure: (error: unknown) => void,
): AskServer {
  return async (question, open) => {
    try {
      for (let attempt = 1; ; attempt++) {
        const sent = await login.headers({ method: question.method, address });
        const answered = await ask({ ...question, headers: { ...question.headers, ...sent } }, open);
        const { status, headers, body } = answered;
        const isDenied = status === 401 || status === 403;
        const isLast = !isDenied || attempt === MAX_ATTEMPTS;
        if (isLast || !(await login.refused(new Response(null, { status, headers }), sent))) return answered;
        body.destroy();
      }
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
}

/** Returns a requester that calls a function when the server requires a login. */
export function withChallengeNotice(ask: AskServer, onChallenge: () => void): AskServer {
  return async (question, open) => {
    const answered = await ask(question, open);
    if (answered.status === 401) onChallenge();
    return answered;
  };
}
