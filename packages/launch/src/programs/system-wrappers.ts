import type { ReadProgram } from "../reader.ts";
import { env, wrapper } from "./wrappers.ts";

/**
 * GNU coreutils, util-linux, sudo and similar programs: https://www.gnu.org/software/coreutils/manual, and each
 * program's `--help`.
 */
export const SYSTEM_WRAPPERS: Readonly<Record<string, ReadProgram>> = {
  env,
  exec: wrapper({ flags: "-c -l", roles: { gap: "-a" } }),
  command: wrapper({ flags: "-p" }),
  nohup: wrapper({}),
  nice: wrapper({ values: "-n --adjustment", pattern: /^-\d+$/ }),
  time: wrapper({ flags: "-p -a -v -q --append --verbose --portability --quiet", values: "-f --format -o --output" }),
  timeout: wrapper({
    flags: "--preserve-status --foreground -f -p -v --verbose",
    values: "-k --kill-after -s --signal",
    operands: 1,
  }),
  setsid: wrapper({ flags: "-c --ctty -f --fork -w --wait" }),
  stdbuf: wrapper({ values: "-i --input -o --output -e --error" }),
  ionice: wrapper({ flags: "-t --ignore", values: "-c --class -n --classdata" }),
  chrt: wrapper({
    flags: "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork -v --verbose",
    values: "-T --sched-runtime -P --sched-period -D --sched-deadline",
    operands: 1,
  }),
  taskset: wrapper({ flags: "-a --all-tasks -c --cpu-list", operands: 1 }),
  prlimit: wrapper({
    optional:
      "--core --cpu --data --fsize --memlock --nofile --nproc --rss --stack --as --locks --nice --rtprio --sigpending",
    pattern: /^-[cdefilmnqrstuvxy](?:=.*)$/,
  }),
  flock: wrapper({
    flags: "-s --shared -x -e --exclusive -n --nonblock --nb -u --unlock -o --close -F --no-fork --verbose",
    values: "-w --wait --timeout -E --conflict-exit-code",
    operands: 1,
  }),
  sudo: wrapper({
    flags:
      "-A --askpass -b --background -E -H --set-home -k --reset-timestamp -n --non-interactive -P --preserve-groups -S --stdin",
    values:
      "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user",
    optional: "--preserve-env",
    gapFlags: "-i --login -s --shell -e --edit -l --list -v --validate",
    roles: { folder: "-D --chdir", gap: "-R --chroot" },
    assigns: true,
    hasOwnPrograms: true,
  }),
  doas: wrapper({ flags: "-n -L", values: "-u -a", gapFlags: "-s", roles: { gap: "-C" }, hasOwnPrograms: true }),
  "xvfb-run": wrapper({
    flags: "-a --auto-servernum -l --listen-tcp",
    values: "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait",
  }),
  caffeinate: wrapper({ flags: "-d -i -m -s -u", values: "-t -w" }),
  unbuffer: wrapper({ flags: "-p" }),
  tini: wrapper({ flags: "-s -v -g -w -l", values: "-p -e" }),
  "dumb-init": wrapper({ flags: "-c --single-child -v --verbose", values: "-r --rewrite" }),
  /** Busybox applets, some of which share their names with other programs. */
  busybox: wrapper({ hasOwnPrograms: true }),
  arch: wrapper({
    isExact: true,
    values: "-arch -d",
    pattern: /^-(?:x86_64h?|arm64e?|i386)$/,
    roles: { variable: "-e" },
  }),
};
