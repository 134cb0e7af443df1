/**
 * `--trace`: prints every datagram. For each datagram, the first line contains the time, the direction and the remote endpoint, and the
 * next lines contain the fields. After the last fragment of a split reply, the joined reply is also printed. The values of fields with
 * passwords or secrets are masked.
 */
import { formatAddress } from "@sourcewire/core"
import type { OnDatagram } from "@sourcewire/core/engine"
import { type DissectedField, type Message, dissect } from "@sourcewire/protocol"
import { Reassembler, isSplit } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Surface } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { hexDump, formatHex, valueText } from "../view/fieldTree.ts"
import { plural } from "../view/quantities.ts"
import { formatSplit, messageTitle } from "../view/messageView.ts"

const STARS = "••••••"

/** Whether a field must be masked. */
const isSecret = (field: DissectedField): boolean => field.path === "password" || field.path === "secret"

/** Whether a malformed datagram begins like a message that can contain a secret. The bytes of such a datagram are not printed. */
const mayHoldSecret = (bytes: Uint8Array): boolean =>
  /^....(rcon|S)/s.test(String.fromCharCode(...bytes.subarray(0, 8)))

const fieldLine = (field: DissectedField, bytes: Uint8Array, { palette }: Surface): string => {
  const secret = isSecret(field)
  const hex = secret ? STARS : formatHex(bytes, field.offset, field.length)
  const place = palette.faint(String(field.offset).padStart(6))
  return `${place}  ${palette.accent(hex.padEnd(25))}  ${field.path}  ${secret ? STARS : valueText(field)}`.trimEnd()
}

const show = (bytes: Uint8Array, surface: Surface) => {
  const { fields, result } = dissect(bytes)
  if (Result.isSuccess(result)) {
    return {
      title: messageTitle(result.success satisfies Message),
      lines: fields.map((field) => fieldLine(field, bytes, surface))
    }
  }
  const lines = mayHoldSecret(bytes) ? [`        ${STARS}`] : hexDump(bytes)
  return { title: `malformed: ${safe(result.failure.message)}`, lines }
}

const SIGNS = { sent: "→", received: "←", joined: "=" } as const

/** Formats the beginning of the first line that is printed for a datagram: the time, the direction and the remote endpoint. */
export const formatHead = (way: keyof typeof SIGNS, remote: string, timeMs: number, { palette }: Surface): string => {
  const time = new Date(performance.timeOrigin + timeMs).toISOString().slice(11, -1)
  return `${palette.faint(time)} ${palette.strong(`${SIGNS[way]} ${remote}`)}`
}

/** The fragments of incomplete split replies are stored for at most this number of remote endpoints. */
const MAX_REMOTES = 1024

export const tracer = (surface: Surface): OnDatagram => {
  const unfinished = new Map<string, Reassembler>()

  const joinedBy = (bytes: Uint8Array, remote: string) => {
    const reassembler = unfinished.get(remote) ?? new Reassembler()
    const joined = reassembler.add(bytes)
    unfinished.delete(remote)
    if (reassembler.received > 0 && unfinished.size < MAX_REMOTES) unfinished.set(remote, reassembler)
    if (Result.isFailure(joined)) return { title: `not joined: ${safe(joined.failure.message)}`, lines: [] }
    if (joined.success === undefined) return undefined
    const { lines, title } = show(joined.success.bytes, surface)
    return { title: `joined ${formatSplit(joined.success)}: ${title}`, lines }
  }

  return (direction, bytes, { address, port }, timeMs) => {
    const remote = formatAddress({ host: address, port })
    const one = isSplit(bytes) ? { title: "a fragment", lines: hexDump(bytes) } : show(bytes, surface)
    const head = `${formatHead(direction, remote, timeMs, surface)}  ${plural(bytes.length, "byte")}, ${one.title}`
    const whole = isSplit(bytes) && direction === "received" ? joinedBy(bytes, remote) : undefined
    const rest =
      whole === undefined ? [] : [`${formatHead("joined", remote, timeMs, surface)}  ${whole.title}`, ...whole.lines]
    surface.writeNow(`${[head, ...one.lines, ...rest].join("\n")}\n`)
  }
}
