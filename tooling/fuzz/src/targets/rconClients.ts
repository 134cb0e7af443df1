/** Targets for the client side of RCON. The server sends any bytes, in any segments, at any time. */
import { toHex } from "@sourcewire/protocol"
import {
  connectionless,
  encodePacket,
  Limits,
  PACKET_OVERHEAD_BYTES,
  SourceRconFramer
} from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import {
  GoldSourceConsole,
  GoldSourceExchange,
  MAX_CHALLENGES
} from "../../../../packages/core/src/rcon/GoldSourceExchange.ts"
import { udpFault } from "../../../../packages/core/src/rcon/errors.ts"
import { Step } from "../../../../packages/core/src/engine/Exchange.ts"
import { QuietRule } from "../../../../packages/core/src/rcon/quietRule.ts"
import type { Terminator } from "../../../../packages/core/src/rcon/options.ts"
import { PIPELINE_WINDOW, SourceMachine } from "../../../../packages/core/src/rcon/sourceMachine.ts"
import { isDeepStrictEqual } from "node:util"
import { type Input, must, type Target } from "../Target.ts"
import { play } from "./play.ts"

const PASSWORD = new TextEncoder().encode("correct horse")
const LIMITS = { timeoutMs: 2000, totalTimeoutMs: 10_000 }
const common = { events: true, maxBytes: 16_384, baseSteps: 200_000, stepsPerByte: 600 } as const

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))
const packet = (id: number, type: number, body = ""): Uint8Array => encodePacket({ id, type, body: ascii(body) })

/** The framer, which finds the packets in a stream. The stream contains any bytes, and arrives in any segments. */
export const framer: Target = {
  ...common,
  name: "rcon framer",
  holds:
    "no throw; the segments do not affect the packets; at most one packet is buffered; an encoded packet is decoded to itself",
  covers: /^packages\/protocol\/src\/SourceRcon/,
  weight: 5,
  seeds: () => [
    [packet(1, 0), packet(1, 2), packet(7, 0, "hello"), packet(8, 0, "\0\x01\0\0")],
    [packet(2, 0, "x".repeat(4000)), packet(2, 0, "y".repeat(300))],
    [ascii("HTTP/1.1 400 Bad Request\r\n\r\n")],
    [Uint8Array.of(8, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)]
  ],
  run: (segments) => {
    const max = 8192
    const segmented = new SourceRconFramer({ maxPacketBytes: max })
    const packets = segments.flatMap((segment) => {
      const found = segmented.push(segment)
      must(segmented.failure !== undefined || segmented.pendingBytes <= max + 4, "holds more than a packet")
      return found
    })
    const whole = new SourceRconFramer({ maxPacketBytes: max })
    const stream = Uint8Array.from(segments.flatMap((segment) => [...segment]))
    must(isDeepStrictEqual(whole.push(stream), packets), "packets depend on the segments")
    must((whole.failure === undefined) === (segmented.failure === undefined), "the end depends on the segments")
    for (const one of packets) {
      must(one.body.length + PACKET_OVERHEAD_BYTES <= max + 4 + 2, "a packet above its cap")
      must(isDeepStrictEqual(new SourceRconFramer().push(encodePacket(one)), [one]), "a packet's bytes are another's")
    }
  }
}

const TERMINATORS: ReadonlyArray<Terminator> = ["auto", "mirror", "mirror-command", "quiet"]
const LOGGED_IN: Input = [Uint8Array.of(0, 0), Uint8Array.of(1, 0, ...packet(1, 0), ...packet(1, 2))]

/**
 * Checks the events of a connection. Each command must end exactly once, and all parts of the reply must arrive before the command ends.
 */
class Ledger {
  readonly open = new Set<number>()
  isBroken = false

  take(machine: SourceMachine): void {
    for (const event of machine.takeEvents()) {
      must(!this.isBroken, "an event after the end")
      if (event.kind === "broken") {
        this.isBroken = true
        must(this.open.size === 0, "a command without an end")
      } else if (event.kind === "part") must(this.open.has(event.ticket), "a part of a command that is not under way")
      else if (event.kind === "ended") must(this.open.delete(event.ticket), "a command ended twice")
      if ("error" in event) must(!JSON.stringify(event.error).includes("correct horse"), "the password is in an error")
    }
  }
}

/**
 * The client of Source RCON. The first byte of an event is the time since the last event, in units of 16 ms. The second byte selects the
 * kind of the event:
 *
 *     0  a segment with any bytes
 *     1  a packet with an id that the client expects
 *     2  a command
 *     3  the cancellation of a command
 *     4  the end of the connection
 */
export const source: Target = {
  ...common,
  name: "rcon source client",
  holds:
    "no throw; each command ends once; only running commands have parts; at most 16 commands are in flight; no password in errors",
  covers: /^packages\/core\/src\/rcon\/(sourceMachine|quietRule)/,
  weight: 5,
  steering: 2,
  seeds: () => {
    const command = Uint8Array.of(1, 2, ...ascii("status"))
    const reply = (id: number, body = "") => Uint8Array.of(1, 0, ...packet(id, 0, body))
    return TERMINATORS.flatMap((_, terminator): ReadonlyArray<Input> => {
      const begin = LOGGED_IN.with(0, Uint8Array.of(terminator, 0))
      return [
        [
          ...begin,
          command,
          reply(2, "hostname: x"),
          reply(3),
          reply(3, "\0\x01\0\0"),
          command,
          command,
          reply(4, "a"),
          reply(5)
        ],
        [...begin, command, reply(2, "part"), reply(3, "Unknown request 0"), command, reply(4, "b")],
        [...begin, command, reply(2, "only text"), Uint8Array.of(255, 0), command, Uint8Array.of(255, 0)],
        [...begin, command, Uint8Array.of(0, 3), command, Uint8Array.of(0, 4)],
        [begin[0]!, Uint8Array.of(1, 0, ...packet(-1, 2))]
      ]
    })
  },
  run: ([how = Uint8Array.of(0, 0), ...events]) => {
    const terminator = TERMINATORS[(how[0] ?? 0) % TERMINATORS.length]!
    const machine = new SourceMachine({ password: PASSWORD, terminator, timeoutMs: 2000, quiet: new QuietRule() }, 0)
    const ledger = new Ledger()
    const awaited: Array<number> = []
    const settle = (): void => {
      for (const { id } of machine.takePackets()) awaited.push(id)
      ledger.take(machine)
      must(machine.room <= PIPELINE_WINDOW, "more commands ahead than the window")
    }
    const happen = (event: Uint8Array, now: number): void => {
      const body = event.subarray(2)
      switch ((event[1] ?? 0) % 5) {
        case 0:
          machine.receive(body, now)
          break
        case 1: {
          const id = awaited[awaited.length - 1 - ((body[0] ?? 0) % awaited.length)]!
          const made: SourceRconPacket = { id, type: (body[1] ?? 0) % 4, body: body.subarray(2) }
          machine.receive(encodePacket(made), now)
          break
        }
        case 2:
          if (machine.room > 0) ledger.open.add(machine.submit(body, LIMITS, now))
          break
        case 3: {
          const [ticket] = ledger.open
          if (ticket === undefined) break
          machine.cancel(ticket)
          ledger.open.delete(ticket)
          break
        }
        default:
          machine.disconnected("the fuzzer hung up")
      }
    }
    play(machine, events, happen, settle)
    must(ledger.open.size === 0, "a command that never ends")
  }
}

const ECHO = toHex(ascii("echo sourcewire"))
/**
 * Maximum number of echo requests for one command. The client sends one echo request per challenge at login, and further echo requests
 * after the command, at growing intervals.
 */
const MAX_ECHOES = 10

const at = (time: number, what: number, datagram: Uint8Array = new Uint8Array()): Uint8Array =>
  Uint8Array.of(time, what, ...datagram)

/**
 * The client of RCON over UDP. The first byte of an event is the time since the last event, in units of 16 ms. The second byte selects the
 * kind of the event:
 *
 *     0–3  a datagram
 *     4    a command
 *     5    the cancellation of the command
 *     6    a closed port
 */
export const goldSource: Target = {
  ...common,
  name: "rcon udp client",
  holds: "no throw; each command ends once, before its deadline; it is sent once per challenge; no password in errors",
  covers: /^packages\/core\/src\/rcon\/(GoldSourceExchange|goldSourceTexts|quietRule)/,
  weight: 5,
  steering: 2,
  seeds: () =>
    [0, 1].flatMap((dialect): ReadonlyArray<Input> => {
      const begin = [Uint8Array.of(dialect, 0), at(0, 4, ascii("status"))]
      const challenge = at(2, 0, connectionless("challenge rcon 1234567890\n"))
      const output = at(2, 0, connectionless("lhostname: x\nplayers: 0\n\0"))
      return [
        [...begin, challenge, output, output, at(255, 0), at(0, 4, ascii("users")), output],
        [...begin, challenge, at(1, 0, connectionless("lBad rcon_password.\n\0\0"))],
        [...begin, challenge, at(1, 0, connectionless("9No challenge for your address.\n\0")), challenge, output],
        [...begin, at(1, 0, connectionless("print\nhost: x\n\0")), at(255, 0)],
        [...begin, challenge, at(1, 0, connectionless("lYou have been banned from this server.\n\0\0"))],
        [...begin, at(1, 5), at(0, 4), at(0, 6)],
        // A login to HLTV, a command without output, and a command with output.
        [
          begin[0]!,
          at(0, 4),
          challenge,
          at(1, 0, connectionless("l\xffsourcewire\n\0")),
          at(1, 4, ascii("delay 1")),
          challenge,
          at(10, 0, connectionless("l\xffsourcewire\n\0")),
          at(1, 4, ascii("status")),
          challenge,
          at(1, 0, connectionless("l\xffOnline\n\0"))
        ]
      ]
    }),
  run: ([how = Uint8Array.of(0, 0), ...events]) => {
    let exchange: GoldSourceExchange | undefined
    let commands = 0
    let echoes = 0
    let replyBytes = 0
    const dialect = (how[0] ?? 0) % 2 === 0 ? "goldsource" : "quake"
    const console = new GoldSourceConsole({ password: PASSWORD, dialect, quiet: new QuietRule() })
    const follow = (step: Step | undefined): void => {
      if (step === Step.Send) {
        const datagram = toHex(exchange!.packet)
        if (datagram.includes(ECHO)) echoes++
        else if (datagram.startsWith("ffffffff72")) commands++
      }
      must(echoes <= MAX_ECHOES, "echoes without end")
      // The client sends a command once with the stored challenge. After each refusal, the client requests a new challenge and sends the
      // command again.
      must(commands <= 1 + MAX_CHALLENGES, "a command was sent too often")
      must((step === Step.Done) === (exchange?.result !== undefined), "a result without an end")
      if (step !== Step.Done) return
      must(!JSON.stringify(exchange!.result).includes("correct horse"), "the password is in an error")
      exchange = undefined
    }
    const begin = (bytes: Uint8Array, now: number): void => {
      if (exchange !== undefined) return
      commands = 0
      echoes = 0
      replyBytes = 0
      const onPart = (part: Uint8Array): void => {
        replyBytes += part.length
        must(replyBytes <= Limits.MAX_RCON_REPLY_BYTES, "text above its cap")
      }
      const given = bytes.length === 0 ? {} : { bytes: bytes.filter((byte) => byte !== 0 && byte !== 10) }
      exchange = new GoldSourceExchange(console, { ...given, limits: LIMITS, onPart })
      follow(exchange.start(now))
    }
    const happen = (event: Uint8Array, now: number): void => {
      const body = event.slice(2)
      switch ((event[1] ?? 0) % 7) {
        case 4:
          begin(body, now)
          break
        case 5:
          exchange = undefined
          console.forgetChallenge()
          break
        case 6:
          follow(exchange?.fail(udpFault({ kind: "refused", message: "port unreachable" })))
          break
        default:
          follow(exchange?.receive(body, now))
          body.fill(0xcc)
      }
    }
    const machine = {
      get deadline(): number {
        return exchange?.deadline ?? Number.POSITIVE_INFINITY
      },
      expire: (now: number): void => follow(exchange?.expire(now))
    }
    play(machine, events, happen)
    must(exchange === undefined, "a command that never ends")
  }
}
