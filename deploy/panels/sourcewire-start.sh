#!/bin/sh
# Starts a game server, and prints its players and map in the console whenever they change:
#
#     sh sourcewire-start.sh HOST:PORT COMMAND...
#
# A panel recognizes the end of the start by the first line with "is healthy:". The program `sourcewire` is in this directory or in PATH.
# SOURCEWIRE_INTERVAL is the time between two checks, in seconds (default: 10).
set -u
target=$1
shift
if [ -f sourcewire ]; then
  # Uploads over SFTP are not executable.
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
    # A server that ended during the check is not unhealthy.
    kill -0 $$ 2>/dev/null || exit
    line=${line%, RTT *}
    if [ "$code" -eq 0 ]; then started=yes; fi
    # Until the first reply, the server is starting.
    if [ -n "$started" ] && [ "$line" != "$last" ]; then
      echo "$line"
      last=$line
    fi
    sleep "${SOURCEWIRE_INTERVAL:-10}"
  done
) &
exec "$@"
