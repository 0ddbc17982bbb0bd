/**
 * The first shell ends immediately, so that the second shell is not a child of this process and the server cannot learn
 * from its parents who visits it. The second shell waits for a line that confirms that the first shell has ended, runs
 * the command, closes its own copies of the streams, and writes the command's exit code, even if the command ends on
 * request. The server reads its input from the fifth stream, since Node closes the first one when the first shell ends.
 * The watcher is its own process, without the server's variables, so that the mark leads only to processes of the
 * server.
 */
export const SUPERVISOR: string = [
  'read -r _ <&3 || exit; "$@" <&4 3>&- 4<&- & server=$!; trap "" TERM; exec 4<&- </dev/null >/dev/null 2>&1',
  'PATH=/usr/bin:/bin env -i /bin/sh -c "$0" & watcher=$!',
  "wait $server; code=$?; kill -KILL $watcher; echo $code >&3",
]
  .join("; ")
  .replace(/^.*$/, "{ $&; } &");

/**
 * The watcher is the second reader of the stream to this process: it reads the mark, and then waits for the end of the
 * stream, which means that this process has ended. Then it ends every process that has the mark in its environment, in
 * any process group, until it has found none three times in a row, and finally its own group with everything in it. A
 * truncated mark does not count. Not every `grep` continues after a NUL character.
 */
export const WATCHER: string = `read -r mark <&3 || mark=
case $mark in ????????????=????????????????????????????????) ;; *) mark= ;; esac
while read -r _ <&3; do :; done
marked() {
  if [ ! -e /proc/self/environ ]; then
    { ps -axEww -o pid=,command= || ps axeww -o pid=,command=; } | while read -r pid rest; do
      case " $rest " in *" $mark "*) echo "$pid" ;; esac
    done
  elif printf 'a\\0b' | grep -q b; then grep -lsF "$mark" /proc/[0-9]*/environ
  else
    for file in /proc/[0-9]*/environ; do
      tr '\\0' '\\n' <"$file" | grep -qF "$mark" && echo "$file"
    done
  fi
}
none=0 looks=0
while [ -n "$mark" ] && [ $none -lt 3 ] && [ $looks -lt 500 ]; do
  looks=$((looks + 1)) none=$((none + 1))
  for found in $(marked 2>/dev/null); do
    pid=\${found#/proc/}
    kill -KILL "\${pid%/environ}" && none=0
  done
done
kill -KILL 0`;
