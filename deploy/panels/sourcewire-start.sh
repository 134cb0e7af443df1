#!/bin/sh
# Starts a game server, and prints its players and map in the console whenever they change:
#
#     sh sourcewire-start.sh HOST:PORT COMMAND...
#
# When a line contains "is healthy:", the panel shows the server as running. The program `sourcewire` must be in this directory or in PATH.
# SOURCEWIRE_INTERVAL is the time between two checks, in seconds (default: 10).
set -u
target=$1
shift
if [ -f sourcewire ]; then
  # A file uploaded over SFTP is not executable.
  chmod +x sourcewire
  sourcewire=./sourcewire
else
  sourcewire=$(command -v sourcewire) || {
    echo "sourcewire not found in $(pwd). Upload the single-file program, with the name sourcewire." >&2
    exit 1
  }
fi
(
  last=
  started=
  # $$ is the process of the game server, also in this subshell.
  while kill -0 $$ 2>/dev/null; do
    line=$("$sourcewire" health "$target" 2>&1)
    code=$?
    # If the server ended during the check, the result is ignored.
    kill -0 $$ 2>/dev/null || exit
    line=${line%, RTT *}
    if [ "$code" -eq 0 ]; then started=yes; fi
    # Until its first reply, the server counts as starting.
    if [ -n "$started" ] && [ "$line" != "$last" ]; then
      echo "$line"
      last=$line
    fi
    sleep "${SOURCEWIRE_INTERVAL:-10}"
  done
) &
exec "$@"
