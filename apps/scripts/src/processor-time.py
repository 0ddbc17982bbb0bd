"""Runs a command and prints the processor time of everything it started.

usage: python3 apps/scripts/src/processor-time.py [--quiet] -- command...

`time` counts only the processes that its command waited for. A process whose parent has ended is adopted by init, and its
time is lost. This program is the subreaper of everything that it starts: it adopts and waits for each such process. When
the command has ended, remaining processes have a second to end; after that they are left running, which is reported. The
exit code is the command's, or 128 + n if signal n ended it. Only Linux has subreapers.
"""

import ctypes
import os
import resource
import select
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 1
USAGE = "usage: processor-time.py [--quiet] -- command..."


def become_subreaper():
    if sys.platform != "linux":
        raise OSError("only Linux has subreapers")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def start(command):
    try:
        return os.posix_spawnp(command[0], command, os.environ, setsigdef=[signal.SIGPIPE])
    except OSError as error:
        print(f"processor-time: cannot start {command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127)


def reap_until(pid):
    """Waits for `pid` and, meanwhile, for every orphan."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def reap_orphans(woken):
    """Waits for orphans until none is left or the grace has passed; returns whether one still runs."""
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if ended == 0:
            ready, _, _ = select.select([woken], [], [], GRACE_SECONDS)
            if not ready:
                return True
            os.read(woken, 4096)


def main(arguments):
    is_quiet = arguments[:1] == ["--quiet"]
    if is_quiet:
        arguments = arguments[1:]
    if arguments[:1] != ["--"] or len(arguments) == 1:
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    become_subreaper()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    pid = start(arguments[1:])
    # The command receives the signals of a terminal or a script; this program ends after it.
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda number, _: os.kill(pid, number))
    code = reap_until(pid)
    is_left = reap_orphans(woken)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if is_left and not is_quiet:
        print("processor-time: a process that the command started still runs and is not counted", file=sys.stderr)
    total = used.ru_utime + used.ru_stime
    if not is_quiet:
        print(f"processor {total:.1f} s (user {used.ru_utime:.1f}, system {used.ru_stime:.1f})", file=sys.stderr)
    sys.exit(128 - code if code < 0 else code)


main(sys.argv[1:])
