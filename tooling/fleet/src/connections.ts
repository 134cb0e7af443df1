/** Finds unexpected TCP ports and connections of a runner in the list that Linux reports. */
import { execFileSync } from "node:child_process"
import { externalProgram } from "../../testing/externalProgram.ts"
import type { Runner } from "./fleet.ts"

const ss = externalProgram("ss", "iproute2") ?? "ss"

const parsePort = (place: string): number => Number(place.slice(place.lastIndexOf(":") + 1))

/**
 * Returns a message for each unexpected port or connection of a runner. Only the following are expected: the port of the runner's web
 * pages, connections to this port, and connections to the ports of the URLs in `usual`.
 */
export const strangeConnections = (
  { child, name, url }: Runner,
  usual: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const [pages, ...known] = [url, ...usual].map((one) => Number(new URL(one).port))
  return execFileSync(ss, ["--no-header", "--tcp", "--all", "--numeric", "--processes"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`pid=${child.pid},`))
    .flatMap((line) => {
      const [state, , , local, remote] = line.split(/\s+/)
      const isListening = state === "LISTEN"
      if (parsePort(local!) === pages || (!isListening && known.includes(parsePort(remote!)))) return []
      return [isListening ? `${name} listens on ${parsePort(local!)}` : `${name} talks to ${parsePort(remote!)}`]
    })
}
