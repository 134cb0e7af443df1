/**
 * `--trace` for RCON: prints every packet on standard error. The session has already masked the password in the packets. A packet over UDP
 * is shown field by field, like the datagrams of queries. For a packet over TCP, the id, the type and a hex dump of the body are shown. If
 * the bytes are not a complete packet, the hex dump shows all bytes.
 */
import type { Address } from "@sourcewire/core"
import type { RconTrace, RconTraceEvent } from "@sourcewire/core/rcon"
import { AUTH, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import type { Surface } from "../output/output.ts"
import { hexDump } from "../view/fieldTree.ts"
import { formatHead, tracer } from "../trace/tracer.ts"
import { plural } from "../view/quantities.ts"

/** Describes the type of a packet. The meaning of a type depends on whether the packet was sent or received. */
const describePacket = ({ id, type }: SourceRconPacket, direction: "received" | "sent"): string => {
  if (type === RESPONSE_VALUE) return direction === "sent" ? "the mirror packet" : "a reply"
  // For the result of a login, some servers use the type `EXEC_COMMAND`, and other servers use `AUTH`.
  if (type !== EXEC_COMMAND && type !== AUTH) return `type ${type}`
  if (direction === "sent") return type === AUTH ? "the password" : "a command"
  return id === -1 ? "the password is refused" : "the password is accepted"
}

/** Parses the bytes of a trace event. Returns `undefined` if the bytes are not a complete packet. */
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
