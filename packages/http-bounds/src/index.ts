export { AnswerRoom, type Hold } from "./answer-room.ts";
export { boundConnections, type ConnectionBounds } from "./bound-connections.ts";
