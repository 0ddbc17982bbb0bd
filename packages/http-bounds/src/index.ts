export { AnswerRoom, type Hold } from "./answer-room.ts";
export { type ConnectionBounds, boundConnections } from "./bound-connections.ts";
