import { type GrammarText, grammar } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { imageSpecifier } from "../specifiers.ts";
import { programOf } from "../words.ts";

/** https://docs.docker.com/reference/cli/docker, https://docs.podman.io/en/latest/markdown/podman.1.html */
const GLOBAL: GrammarText = {
  flags: "-D --debug --tls --tlsverify -r --remote",
  values: "-l --log-level --tlscacert --tlscert --tlskey -n --namespace",
  // These options have an unknown effect, because a configuration names plugins and another machine can run anything.
  roles: { gap: "--config -c --context -H --host --connection --url --identity --root --runroot --address -a" },
};
/** https://docs.docker.com/reference/cli/docker/container/run. A mount may replace a file in the image. */
const RUN = grammar({
  flags:
    "-d --detach -i --interactive -t --tty --rm --init --privileged -P --publish-all --read-only --no-healthcheck --oom-kill-disable -q --quiet --replace --no-hosts --no-hostname --passwd",
  values:
    "-a --attach --add-host --annotation --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns --dns-opt --dns-option --dns-search --domainname --entrypoint --expose --gpus --group-add --health-interval --health-retries --health-start-interval --health-start-period --health-timeout -h --hostname --ip --ip6 --ipc --isolation -l --label --label-file --link --link-local-ip --log-driver --log-opt --mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --name --net --net-alias --network --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts --volume-driver -w --workdir --arch --authfile --tz --umask --secret",
  optional: "--sig-proxy --disable-content-trust --tls-verify --http-proxy",
  gapFlags: "--rootfs --use-api-socket",
  roles: {
    envFile: "--env-file",
    variable: "-e --env",
    gap: "-v --volume --mount --volumes-from --env-merge --runtime --health-cmd",
  },
});
const TABLE = grammar(GLOBAL);

/** Reads `docker run image`, where the image determines what runs. */
export const container: ReadProgram = (reader, call) => {
  const before = reader.options(call, TABLE);
  if (before === undefined) return;
  const words = before.rest[0]?.text === "container" ? before.rest.slice(1) : before.rest;
  const [verb, ...rest] = words;
  if (verb?.text !== "run") return reader.miss(verb ?? call.command, programOf(call.command));
  const read = reader.options({ ...call, words: rest }, RUN);
  if (read === undefined) return;
  reader.missVariable(
    call.command,
    /^(?:DOCKER_(?:HOST|CONTEXT|CONFIG)|CONTAINER_(?:HOST|CONNECTION)|CONTAINERS_CONF\w*)$/,
  );
  const [image, ...inside] = read.rest;
  const specifier = image && imageSpecifier(image);
  const { options } = read;
  if (image && specifier) reader.packages.push({ runner: programOf(call.command), word: image, specifier, options });
  else reader.miss(image ?? call.command, programOf(call.command));
  const entry = read.options.find(({ name }) => name === "--entrypoint")?.value;
  reader.runInImage(entry === undefined ? inside : [entry, ...inside], read.place);
};
