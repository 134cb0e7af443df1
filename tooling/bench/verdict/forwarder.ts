/**
 * Starts the program `forwarder.c`, which listens on the ports of many servers. The program passes each received datagram to this module.
 * This module passes the replies back to the program, which sends them to the clients.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { compiled } from "../farm/farmProcess.ts"

/** The header in front of each datagram (see `forwarder.c`). */
const HEADER_BYTES = 16

interface Place {
  readonly index: number
  readonly host: string
  readonly port: number
}

type Respond = (index: number, datagram: Uint8Array, address: string, port: number) => ReadonlyArray<Uint8Array>

const addressNumber = (host: string): number => host.split(".").reduce((number, part) => number * 256 + Number(part), 0)

const addressText = (number: number): string =>
  [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255].join(".")

/** Joins consecutive ports into ranges. */
const toRanges = (ports: ReadonlySet<number>): ReadonlyArray<string> => {
  const ranges: Array<[first: number, last: number]> = []
  for (const port of [...ports].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range?.[1] === port - 1) range[1] = port
    else ranges.push([port, port])
  }
  return ranges.map(([first, last]) => `${first}-${last}`)
}

export const startForwarder = async (servers: Iterable<Place>) => {
  const indexes = new Map<number, number>()
  const ports = new Set<number>()
  for (const { host, index, port } of servers) {
    ports.add(port)
    indexes.set(addressNumber(host) * 65_536 + port, index)
  }
  const program = compiled(fileURLToPath(new URL("forwarder.c", import.meta.url)))
  const child = spawn(program, toRanges(ports), { stdio: ["pipe", "pipe", "inherit"] })
  await once(child.stdout, "readable")
  if (child.stdout.read(HEADER_BYTES) === null)
    throw new Error("The forwarder cannot open its ports. End other programs that listen on them.")

  const onDatagram = (respond: Respond): void => {
    let rest: Buffer = Buffer.alloc(0)
    child.stdout.on("data", (piece: Buffer) => {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      const replies: Array<Uint8Array> = []
      let at = 0
      while (bytes.length - at >= HEADER_BYTES) {
        const length = bytes.readUInt16LE(at)
        if (bytes.length - at < HEADER_BYTES + length) break
        const header = bytes.subarray(at, at + HEADER_BYTES)
        const datagram = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length)
        at += HEADER_BYTES + length
        const index = indexes.get(header.readUInt32LE(4) * 65_536 + header.readUInt16LE(2))
        if (index === undefined) continue
        const client = addressText(header.readUInt32LE(8))
        for (const reply of respond(index, datagram, client, header.readUInt16LE(12))) {
          const copy = Buffer.from(header)
          copy.writeUInt16LE(reply.length, 0)
          replies.push(copy, reply)
        }
      }
      rest = bytes.subarray(at)
      child.stdin.write(Buffer.concat(replies))
    })
  }
  return { onDatagram }
}
