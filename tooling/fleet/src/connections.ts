/** Where a process listens over TCP, and whom it talks to, as Linux has it. */
import { execFileSync } from "node:child_process"
import { externalProgram } from "../../testing/externalProgram.ts"
import type { Runner } from "./fleet.ts"

const ss = externalProgram("ss", "iproute2") ?? "ss"

const portOf = (place: string): number => Number(place.slice(place.lastIndexOf(":") + 1))

/** What a runner listens on besides its pages, and whom it is connected to besides these. */
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
      if (portOf(local!) === pages || (!isListening && known.includes(portOf(remote!)))) return []
      return [isListening ? `${name} listens on ${portOf(local!)}` : `${name} talks to ${portOf(remote!)}`]
    })
}
