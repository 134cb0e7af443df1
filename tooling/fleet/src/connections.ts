/** Where a process listens over TCP, and whom it talks to, as Linux has it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import type { Runner } from "./fleet.ts"

const LISTENING = "0A"

const portOf = (place: string): number => Number.parseInt(place.slice(place.lastIndexOf(":") + 1), 16)

/** Sockets of a process, by the number that `/proc/net` has for them. */
const socketsOf = (pid: number): ReadonlySet<string> =>
  new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        // It was closed meanwhile.
        return []
      }
    })
  )

/** What a runner listens on besides its pages, and whom it is connected to besides these. */
export const strangeConnections = (
  { child, name, url }: Runner,
  usual: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const pages = Number(new URL(url).port)
  const known = new Set(usual.map((one) => Number(new URL(one).port)))
  const sockets = socketsOf(child.pid!)
  return ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => sockets.has(fields[9]!))
      .flatMap(([, local, remote, state]) => {
        if (portOf(local!) === pages || (state !== LISTENING && known.has(portOf(remote!)))) return []
        return [state === LISTENING ? `${name} listens on ${portOf(local!)}` : `${name} talks to ${portOf(remote!)}`]
      })
  )
}
