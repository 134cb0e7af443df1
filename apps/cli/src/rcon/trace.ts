/**
 * `--trace` for RCON: every packet on standard error, the password starred out by the session. Packets over UDP are shown field by
 * field, as for queries; those over TCP with their body, and what is no packet as bytes.
 */
import type { Address } from "@sourcewire/core"
import type { RconTrace, RconTraceEvent } from "@sourcewire/core/rcon"
import { AUTH, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import type { Surface } from "../output/output.ts"
import { hexDump } from "../view/fieldTree.ts"
import { formatHead, tracer } from "../trace/tracer.ts"
import { plural } from "../view/quantities.ts"

/** What a type says depends on who sends it. */
const describePacket = ({ id, type }: SourceRconPacket, direction: "received" | "sent"): string => {
  if (type === RESPONSE_VALUE) return direction === "sent" ? "the mirror packet" : "a reply"
  // Servers send their verdict on the password with either type.
  if (type !== EXEC_COMMAND && type !== AUTH) return `type ${type}`
  if (direction === "sent") return type === AUTH ? "the password" : "a command"
  return id === -1 ? "the password is refused" : "the password is accepted"
}

/** The packet of an event, unless it is what is left of a stream. */
const parsePacket = (bytes: Uint8Array): SourceRconPacket | undefined => {
  const framer = new SourceRconFramer()
  const [packet] = framer.push(bytes)
  return framer.failure === undefined && framer.pendingBytes === 0 ? packet : undefined
}

export const rconTracer = (target: Address, name: string, surface: Surface): RconTrace => {
  const onDatagram = tracer(surface)
  const remote = { address: target.host, port: target.port }

  const onPacket = ({ bytes, direction, timeMs }: RconTraceEvent): void => {
    const packet = parsePacket(bytes)
    const head = `${formatHead(direction, name, timeMs, surface)}  TCP, ${plural(bytes.length, "byte")}`
    const lines =
      packet === undefined
        ? [`${head}, incomplete packet`, ...hexDump(bytes)]
        : [`${head}, id ${packet.id}: ${describePacket(packet, direction)}`, ...hexDump(packet.body)]
    surface.writeNow(`${lines.join("\n")}\n`)
  }

  return (event) =>
    event.transport === "tcp" ? onPacket(event) : onDatagram(event.direction, event.bytes, remote, event.timeMs)
}
