import { spawn } from "node:child_process";

/** The program that opens an address, by platform; elsewhere that of freedesktop.org. No shell reads the address. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the user's browser, if there is one. */
export function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // The address is printed as well.
  child.on("error", () => undefined).unref();
}
