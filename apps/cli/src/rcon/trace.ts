/**
 * `--trace` for RCON: every packet on standard error, the password starred out. Packets over UDP are shown field by field, as for
 * queries; so are those over TCP where a segment holds whole ones, else as bytes.
 *
 * @module
 */
import type { Address, Rcon } from "@sourcewire/core"
import type { SourceRconPacket } from "@sourcewire/protocol/SourceRcon"
import { AUTH, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/SourceRcon"
import type { Surface } from "../output/output.ts"
import { hexDump } from "../trace/hexDump.ts"
import { tracer } from "../trace/tracer.ts"
import { plural } from "../view/quantities.ts"
import type { Secrecy } from "./secrecy.ts"

/** What a type says depends on who sends it. */
const titleOf = ({ id, type }: SourceRconPacket, direction: "received" | "sent"): string => {
  if (type === AUTH) return "the password"
  if (type === RESPONSE_VALUE) return direction === "sent" ? "the mirror packet" : "a reply"
  if (type !== EXEC_COMMAND) return `type ${type}`
  if (direction === "sent") return "a command"
  return id === -1 ? "the password is refused" : "the password is accepted"
}

/** The packets of a segment, if it holds whole ones and nothing else. Starred out ones have other lengths than they say. */
const packetsOf = (segment: Uint8Array): ReadonlyArray<SourceRconPacket> | undefined => {
  const framer = new SourceRconFramer()
  const packets = framer.push(segment)
  return framer.failure === undefined && framer.pendingBytes === 0 && packets.length > 0 ? packets : undefined
}

/** Sees a session's packets and describes them. */
export const rconTracer = (
  target: Address.Address,
  name: string,
  surface: Surface,
  secrecy: Secrecy
): Rcon.RconTrace => {
  const { palette } = surface
  // A text in two fragments may hold the password, half in each; where they are joined it would be whole.
  const hiding: Surface = { ...surface, writeNow: (text) => surface.writeNow(secrecy.hide(text)) }
  const onDatagram = tracer(hiding)
  const remote = { address: target.host, port: target.port }

  const onSegment = ({ bytes, direction, timeMs }: Rcon.RconTraceEvent): void => {
    const packets = packetsOf(bytes)
    const time = new Date(performance.timeOrigin + timeMs).toISOString().slice(11, -1)
    const arrow = direction === "sent" ? "→" : "←"
    const size = plural(bytes.length, "byte")
    const head = `${palette.faint(time)} ${palette.strong(`${arrow} ${name}`)}  TCP, ${size}`
    const lines =
      packets === undefined
        ? [`${head}, no whole packets`, ...hexDump(bytes)]
        : packets.flatMap((packet) => [
            `${head}, id ${packet.id}: ${titleOf(packet, direction)}`,
            ...hexDump(packet.body)
          ])
    hiding.writeNow(`${lines.join("\n")}\n`)
  }

  return (event) =>
    event.transport === "tcp" ? onSegment(event) : onDatagram(event.direction, event.bytes, remote, event.timeMs)
}
