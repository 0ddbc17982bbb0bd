export { type PublishedLaunch, type WayToServer, waysToServer } from "./ways-to-server.ts";
