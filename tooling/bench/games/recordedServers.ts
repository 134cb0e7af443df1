/** Servers that reply with recorded datagrams. The recordings are not part of the repository. If they are missing, the list is empty. */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../Bench.ts"

const captures = join(root, "../shared/vectors/captures.jsonl")

type Kind = "info" | "players" | "rules"

/** The recorded replies of a server: for each kind of query, the datagrams of the reply. */
export type Recording = Partial<Record<Kind, ReadonlyArray<Buffer>>>

interface Capture {
  readonly id: string
  readonly query: string
  /**
   * The datagrams as hex. If `strippedBytes` is present, each datagram begins with these bytes, and `packets` contains only the bytes after
   * them.
   */
  readonly packets: ReadonlyArray<string>
  readonly strippedBytes?: string
}

const KINDS: Readonly<Record<number, Kind>> = { 0x54: "info", 0x55: "players", 0x56: "rules" }

const isKind = (query: string): query is Kind => Object.values<string>(KINDS).includes(query)

/** Returns the recordings, each with the name of its server. Recordings of protocols other than A2S are omitted. */
export const recordings = (): ReadonlyArray<readonly [name: string, recording: Recording]> => {
  const servers = new Map<string, Recording>()
  const lines = existsSync(captures) ? readFileSync(captures, "utf8").trim().split("\n") : []
  for (const line of lines) {
    const { id, packets, query, strippedBytes = "" } = JSON.parse(line) as Capture
    if (!isKind(query)) continue
    const name = id.replace(/-(info|players|rules)$/, "")
    servers.set(name, { ...servers.get(name), [query]: packets.map((hex) => Buffer.from(strippedBytes + hex, "hex")) })
  }
  return [...servers].filter(([, { info }]) => [0x49, 0x6d].includes(info?.[0]?.[4] ?? 0))
}

/** Starts a server that sends the replies of a recording. If no reply to a query was recorded, the server does not reply to this query. */
export const replay = async (recording: Recording): Promise<{ readonly port: number; readonly close: () => void }> => {
  const socket = createSocket("udp4")
  const challenge = Buffer.from("ffffffff4178563412", "hex")
  socket.on("message", (request, { address, port }) => {
    const send = (datagram: Buffer): void => socket.send(datagram, port, address)
    const kind = KINDS[request[4] ?? 0]
    const reply = kind === undefined ? undefined : recording[kind]
    if (reply === undefined) return
    if (kind !== "info" && (request.length < 9 || request.readInt32LE(5) === -1)) send(challenge)
    else for (const datagram of reply) send(datagram)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return { port: socket.address().port, close: () => void socket.close() }
}
