/**
 * Runs commands over UDP in virtual time, one after another. A test or a recording defines the replies of the server.
 *
 * @module
 */
import { assert } from "@effect/vitest"
import { encode, fromHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { Step } from "../../src/engine/Exchange.ts"
import type { TimeLimits } from "../../src/rcon/deadline.ts"
import { udpFault } from "../../src/rcon/errors.ts"
import { type Dialect, GoldSourceConsole, GoldSourceExchange } from "../../src/rcon/GoldSourceExchange.ts"
import { QuietRule } from "../../src/rcon/quietRule.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import type { RconError } from "../../src/rcon/session.ts"

export const bytes = (text: string) => new TextEncoder().encode(text)
export const latin1 = (datagram: Uint8Array) => String.fromCharCode(...datagram)
export const fromLatin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))
export const connectionless = (text: string) => fromLatin1(`\xff\xff\xff\xff${text}`)
export const datagram = (message: Message) => Result.getOrThrow(encode(message))

/**
 * A simulated server: a function that returns the replies to a request. The argument is the text of the request, without the header and the
 * line end. Each reply has a delay after the request, in ms.
 */
export type Server = (request: string) => ReadonlyArray<readonly [Uint8Array, number]>

export const HEADER = "\xff\xff\xff\xff"
export const REQUEST_END = /[\n\0]+$/

export interface Outcome {
  readonly mayTrail?: boolean
  readonly text?: string
  readonly error?: RconError
  readonly sent: ReadonlyArray<string>
  /** Time of the last event, in ms from the start of the command. */
  readonly tookMs: number
}

export const LIMITS = { timeoutMs: 5000, totalTimeoutMs: 30_000 }

/** An event of the command in flight. */
export type CommandEvent =
  | { readonly kind: "part"; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly mayTrail: boolean; readonly error?: RconError }

/**
 * Runs commands one after another on the same console, as a session does. Stores the datagrams and events of the commands until a test
 * reads them.
 */
export class Commands {
  private readonly console: GoldSourceConsole
  private exchange: GoldSourceExchange | undefined
  private datagrams: Array<Uint8Array> = []
  private events: Array<CommandEvent> = []

  constructor(dialect: Dialect, password: string) {
    this.console = new GoldSourceConsole({ password: bytes(password), dialect, quiet: new QuietRule() })
  }

  get deadline(): number {
    return this.exchange?.deadline ?? Number.POSITIVE_INFINITY
  }

  logIn(limits: TimeLimits, now: number): void {
    this.begin({}, limits, now)
  }

  start(command: Uint8Array, limits: TimeLimits, now: number): void {
    this.begin({ bytes: command }, limits, now)
  }

  receive(datagram: Uint8Array, now: number): void {
    this.follow(this.exchange?.receive(datagram, now))
  }

  expire(now: number): void {
    this.follow(this.exchange?.expire(now))
  }

  fault(kind: "refused" | "failed", message: string): void {
    this.follow(this.exchange?.fail(udpFault({ kind, message })))
  }

  cancel(): void {
    this.exchange = undefined
    this.console.forgetChallenge()
  }

  takeDatagrams(): ReadonlyArray<Uint8Array> {
    return this.datagrams.splice(0)
  }

  takeEvents(): ReadonlyArray<CommandEvent> {
    return this.events.splice(0)
  }

  private begin(given: { readonly bytes?: Uint8Array }, limits: TimeLimits, now: number): void {
    const onPart = (part: Uint8Array) => this.events.push({ kind: "part", bytes: part })
    this.exchange = new GoldSourceExchange(this.console, { ...given, limits, onPart })
    this.follow(this.exchange.start(now))
  }

  private follow(step: Step | undefined): void {
    if (step === Step.Send) this.datagrams.push(this.exchange!.packet)
    if (step !== Step.Done) return
    const result = this.exchange!.result!
    this.exchange = undefined
    if (Result.isSuccess(result)) this.events.push({ kind: "ended", ...result.success })
    else this.events.push({ kind: "ended", mayTrail: true, error: result.failure })
  }
}

/** Runs one command against a server in virtual time. */
export const run = (machine: Commands, server: Server, command: string, startedAt = 0, isLogin = false): Outcome => {
  const inFlight: Array<{ bytes: Uint8Array; at: number }> = []
  const parts: Array<Uint8Array> = []
  const sent: Array<string> = []
  let now = startedAt
  if (isLogin) machine.logIn(LIMITS, now)
  else machine.start(bytes(command), LIMITS, now)
  for (let steps = 0; steps < 1000; steps++) {
    for (const request of machine.takeDatagrams()) {
      const line = latin1(request).slice(4).replace(REQUEST_END, "")
      sent.push(line)
      inFlight.push(...server(line).map(([reply, delay]) => ({ bytes: reply, at: now + delay })))
    }
    for (const event of machine.takeEvents()) {
      if (event.kind === "part") parts.push(event.bytes)
      else {
        const outcome = { sent, tookMs: now - startedAt }
        if (event.error !== undefined) return { ...outcome, error: event.error }
        return { ...outcome, mayTrail: event.mayTrail, text: new TextDecoder().decode(concatBytes(parts)) }
      }
    }
    inFlight.sort((a, b) => a.at - b.at)
    const next = inFlight[0]
    if (next !== undefined && next.at <= machine.deadline) {
      inFlight.shift()
      now = next.at
      machine.receive(next.bytes, now)
    } else {
      now = machine.deadline
      machine.expire(now)
    }
  }
  return assert.fail("the machine did not end")
}

export const makeMachine = (dialect: Dialect = "goldsource", password = "probe pw") => new Commands(dialect, password)

export interface Exchange {
  readonly name: string
  readonly request_hex: string
  readonly replies: ReadonlyArray<{ readonly hex: string }>
}

export const recorded = (file: string): ReadonlyArray<Exchange> =>
  (
    JSON.parse(readFileSync(new URL(`../fixtures/recordings/${file}.json`, import.meta.url), "utf8")) as {
      exchanges: ReadonlyArray<Exchange>
    }
  ).exchanges

export const readCommand = ({ request_hex }: Exchange) =>
  latin1(fromHex(request_hex)!).slice(4).replace(REQUEST_END, "").trimEnd()
export const readReplies = ({ replies }: Exchange) => replies.map(({ hex }, i) => [fromHex(hex)!, 5 + i] as const)

/**
 * Creates a server that sends the recorded replies. If several exchanges have the same request, the server sends the replies of the first
 * of these exchanges.
 */
export const playing =
  (exchanges: ReadonlyArray<Exchange>): Server =>
  (request) => {
    const exchange = exchanges.find((one) => readCommand(one) === request.trimEnd())
    return exchange === undefined ? [] : readReplies(exchange)
  }

export const rehlds = recorded("rehlds")

/** A server that sends the recorded replies of ReHLDS. Only its reply to the login is not recorded: the text `sourcewire`. */
export const playingWithEcho: Server = (request) =>
  request.endsWith("echo sourcewire") ? [[connectionless("lsourcewire \n\0\0"), 5]] : playing(rehlds)(request)

export const named = (name: string) => rehlds.find((exchange) => exchange.name === name)!
export const AUTH_LINE = /^rcon (\d+) "([^"]*)" ?(.*)$/
