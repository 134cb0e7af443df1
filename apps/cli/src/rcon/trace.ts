/**
 * `--trace` for RCON: every packet on standard error, the password starred out by the session. Packets over UDP are shown field by
 * field, as for queries; those over TCP with their body, and what is no packet as bytes.
 */
import type { Address } from "@sourcewire/core"
import type { RconTrace, RconTraceEvent } from "@sourcewire/core/machines"
import { AUTH, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/machines"
import type { SourceRconPacket } from "@sourcewire/protocol/machines"
import type { Surface } from "../output/output.ts"
import { hexDump } from "../view/fieldTree.ts"
import { headOf, tracer } from "../trace/tracer.ts"
import { plural } from "../view/quantities.ts"

/** What a type says depends on who sends it. */
const titleOf = ({ id, type }: SourceRconPacket, direction: "received" | "sent"): string => {
  if (type === AUTH) return "the password"
  if (type === RESPONSE_VALUE) return direction === "sent" ? "the mirror packet" : "a reply"
  if (type !== EXEC_COMMAND) return `type ${type}`
  if (direction === "sent") return "a command"
  return id === -1 ? "the password is refused" : "the password is accepted"
}

/** The packet of an event, unless it is what is left of a stream. */
const packetOf = (bytes: Uint8Array): SourceRconPacket | undefined => {
  const framer = new SourceRconFramer()
  const [packet] = framer.push(bytes)
  return framer.failure === undefined && framer.pendingBytes === 0 ? packet : undefined
}

export const rconTracer = (target: Address, name: string, surface: Surface): RconTrace => {
  const onDatagram = tracer(surface)
  const remote = { address: target.host, port: target.port }

  const onPacket = ({ bytes, direction, timeMs }: RconTraceEvent): void => {
    const packet = packetOf(bytes)
    const head = `${headOf(direction, name, timeMs, surface)}  TCP, ${plural(bytes.length, "byte")}`
    const lines =
      packet === undefined
        ? [`${head}, no whole packet`, ...hexDump(bytes)]
        : [`${head}, id ${packet.id}: ${titleOf(packet, direction)}`, ...hexDump(packet.body)]
    surface.writeNow(`${lines.join("\n")}\n`)
  }

  return (event) =>
    event.transport === "tcp" ? onPacket(event) : onDatagram(event.direction, event.bytes, remote, event.timeMs)
}
