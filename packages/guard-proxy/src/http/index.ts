export { type AskServer, serverAt } from "./ask-server.ts";
export type { ClientPost, Endpoint, Route } from "./endpoint.ts";
export { Gateway, type GatewayOptions, LOOPBACK } from "./gateway.ts";
export { RefusingEndpoint } from "./refusing-endpoint.ts";
export { RemoteEndpoint } from "./remote-endpoint.ts";
export type { RemoteOptions } from "./remote-session.ts";
export { StdioEndpoint } from "./stdio-endpoint.ts";
export { withChallengeNotice, withLogin } from "./with-login.ts";
