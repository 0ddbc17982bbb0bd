import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a registry and its database that can stop forwarding. */
export interface TcpProxy {
  readonly port: number;
  /** Stops forwarding in both directions, on old and new connections. */
  readonly freeze: () => void;
  /** Stops forwarding when a client sends `text`, which still reaches the server. */
  readonly freezeBehind: (text: string) => void;
  /** Resumes forwarding, including everything that was held back. */
  readonly resume: () => void;
  readonly close: () => void;
}

/** Starts a proxy in front of a port on this machine. */
export async function startProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let trigger: string | undefined;
  const update = (): void => {
    for (const socket of sockets) isFrozen ? socket.pause() : socket.resume();
  };
  const freeze = (): void => {
    isFrozen = true;
    update();
  };
  const track = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, "localhost");
    track(client, upstream);
    track(upstream, client);
    client.on("data", (data) => {
      upstream.write(data);
      if (trigger === undefined || !data.includes(trigger)) return;
      trigger = undefined;
      freeze();
    });
    upstream.on("data", (data) => client.write(data));
    if (isFrozen) update();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze,
    freezeBehind: (text) => {
      trigger = text;
    },
    resume: () => {
      isFrozen = false;
      update();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
