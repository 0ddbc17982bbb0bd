/** The place of an image in a registry. */
export interface ImageName {
  /** The address of the registry, such as `https://registry-1.docker.io`. */
  readonly registry: string;
  readonly repository: string;
}

/** The place that a name of an image stands for, as docker reads it: without a registry it is one of Docker Hub. */
export function readImageName(name: string): ImageName {
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  if (!isHost || first === "docker.io") {
    const repository = isHost ? rest.join("/") : name;
    return {
      registry: "https://registry-1.docker.io",
      repository: repository.includes("/") ? repository : `library/${repository}`,
    };
  }
  // Docker speaks plain HTTP with the own machine alone.
  const scheme = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(first) ? "http" : "https";
  return { registry: `${scheme}://${first}`, repository: rest.join("/") };
}
