import { createServer } from "node:http";

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/**
 * A real HTTP server for the three requests of GitHub's API that concern the comments of pull request 7 of
 * `owner/repo`.
 */
export class GithubApi {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  /** The status with which the server refuses write requests; `undefined` accepts them. */
  refusal: number | undefined;
  url = "";
  readonly #server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    this.requests.push(`${request.method} ${pathname}`);
    const answer = (status: number, value: unknown) => void response.writeHead(status).end(JSON.stringify(value));
    if (request.headers.authorization !== "Bearer the-token") return answer(401, {});
    if (request.method === "GET") {
      const page = Number(searchParams.get("page"));
      return answer(200, this.comments.slice((page - 1) * 100, page * 100));
    }
    if (this.refusal !== undefined) return answer(this.refusal, {});
    const { body } = JSON.parse(text) as { body: string };
    if (request.method === "POST" && pathname === "/repos/owner/repo/issues/7/comments") {
      return answer(201, this.add("github-actions[bot]", body));
    }
    const comment = this.comments.find(({ id }) => pathname === `/repos/owner/repo/issues/comments/${id}`);
    if (request.method !== "PATCH" || comment === undefined) return answer(404, {});
    comment.body = body;
    return answer(200, comment);
  });

  add(login: string, body: string): Comment {
    const comment = { id: this.comments.length + 1, user: { login }, body };
    this.comments.push(comment);
    return comment;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
