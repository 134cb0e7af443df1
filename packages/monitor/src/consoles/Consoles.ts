/**
 * Reads the consoles of servers whose group has `rconPasswordFile`. The monitor runs `status` over RCON after each reply that reports
 * players. The monitor discards the IP addresses of the players. The instance that queries the server caches all other values of the
 * players in memory, and never writes them to the store.
 */
import { formatAddress } from "@sourcewire/core"
import type { RconEngine } from "@sourcewire/core/rcon"
import type { StatusPlayer } from "@sourcewire/core/text"
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { secretIn } from "../outbound/secretIn.ts"
import { readSignature } from "../sources/readFile.ts"
import { Monitor, type MonitorEvent } from "../watch/Monitor.ts"
import type { ErrorSummary, Watched } from "../watch/Watched.ts"
import { consoleStatus } from "./ConsoleStatus.ts"
import { BANNED_MS, pauseAfter, pauseAfterRefusal } from "./pauses.ts"

/** The result of the last reading of a console. */
export type ConsoleReading = { readonly at: number } & (
  | {
      readonly players: ReadonlyArray<StatusPlayer>
      /** Number of lines in the reply to `status` that could not be read. */
      readonly unread: number
    }
  | { readonly error: ErrorSummary }
)

/** Provides the last reading of each target's console, by the number of the target. By default, no consoles are read. */
export const Consoles = Context.Reference<{ readonly of: (target: number) => ConsoleReading | undefined }>(
  "@sourcewire/monitor/Consoles",
  { defaultValue: () => ({ of: () => undefined }) }
)

const POLL_INTERVAL = "1 second"

/** Maximum number of consoles that are read at the same time. */
const CONCURRENCY = 16

interface PasswordFile {
  /**
   * A text that changes whenever the file changes. The monitor compares this text with the text of the previous reading to detect changes
   * of the file.
   */
  readonly signature: string
  readonly password: Redacted.Redacted<string> | undefined
  /** Why the file contains no usable password; empty if `password` is set. */
  readonly problem: string
}

const readPasswordFile = async (file: string): Promise<PasswordFile> => {
  const signature = await readSignature(file)
  return secretIn(file).then(
    (secret) => ({ signature, password: Redacted.make(secret), problem: "" }),
    (error: unknown) => ({ signature, password: undefined, problem: (error as Error).message })
  )
}

interface ConsoleState {
  /** Arrival time of the reply that caused the last reading of the console. */
  readFor: number
  isReading: boolean
  /**
   * The signature of the password file, from the time when this instance last read the file. If the file has changed since then, its
   * signature is different, and the fields from `waitsUntil` to `engine` are reset.
   */
  signature: string
  waitsUntil: number
  refusals: number
  failures: number
  /** The RCON protocol of the server; `undefined` until the server has accepted the password. */
  engine: RconEngine | undefined
  reading: ConsoleReading | undefined
}

const withoutFailures = { waitsUntil: 0, refusals: 0, failures: 0, engine: undefined } as const

const withoutAddress = ({ address: _address, ...player }: StatusPlayer): StatusPlayer => player

/**
 * Whether a failure may mean that the password is wrong. Some servers (HLTV and Xash3D) do not reply to a wrong password, so that the
 * request times out.
 */
const mayBeRefusal = (error: { readonly _tag: string; readonly phase?: string }, { engine }: ConsoleState): boolean =>
  error._tag === "AuthenticationFailed" || (error.phase === "authentication" && engine === undefined)

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const places = yield* Semaphore.make(CONCURRENCY)
  const scope = yield* Effect.scope
  const states = new Map<number, ConsoleState>()
  /** For each password file, by its path: the problem that was last logged. */
  const problems = new Map<string, string>()

  const log = (level: "info" | "warn", message: string): void => onEvent({ level, event: "console", message })

  const fail = ({ address }: Watched, state: ConsoleState, at: number, error: ErrorSummary): void => {
    const { reading } = state
    const isNew = reading === undefined || !("error" in reading) || reading.error.message !== error.message
    state.reading = { at, error }
    if (isNew) log("warn", `the console of ${address} cannot be read: ${error.message}`)
  }

  const read = Effect.fnUntraced(function* (target: Watched, state: ConsoleState, password: Redacted.Redacted<string>) {
    const { intervalMs, querySettings } = target.group
    const address = formatAddress({ host: target.host, port: target.port })
    const { engine, signature } = state
    const options = {
      password,
      timeoutMs: querySettings.timeoutMs,
      reconnect: false,
      ...(engine === undefined ? {} : { engine })
    }
    const result = yield* Effect.result(consoleStatus(address, options))
    const now = yield* Clock.currentTimeMillis
    // The result is discarded if something has changed during the reading: the password file was replaced, the target was removed, or the
    // group no longer has `rconPasswordFile`.
    if (states.get(target.id) !== state || state.signature !== signature) return
    if (Result.isSuccess(result)) {
      const { players, unread } = result.success.status
      const reading = { at: now, players: players.map(withoutAddress), unread: unread.length }
      if (state.reading !== undefined && "error" in state.reading) {
        log("info", `the console of ${target.address} can be read again`)
      }
      Object.assign(state, withoutFailures, { engine: result.success.engine, reading })
      return
    }
    const { failure } = result
    if (mayBeRefusal(failure, state)) {
      const [ms, sentence] = pauseAfterRefusal(++state.refusals)
      state.waitsUntil = now + ms
      const what = failure._tag === "AuthenticationFailed" ? "The server refused the RCON password." : failure.message
      return fail(target, state, now, { _tag: failure._tag, message: `${what} ${sentence}` })
    }
    state.failures++
    state.waitsUntil = now + (failure._tag === "Refused" ? BANNED_MS : pauseAfter(state.failures, intervalMs))
    return fail(target, state, now, { _tag: failure._tag, message: failure.message })
  })

  /**
   * If the console of a target must be read now, returns the state of the console, otherwise `undefined`. The console must be read if the
   * server has sent a new reply since the last reading, and this reply reports players.
   */
  const findDue = (target: Watched): ConsoleState | undefined => {
    const { id, known } = target
    let state = states.get(id)
    if (state === undefined) {
      state = { readFor: 0, isReading: false, signature: "", reading: undefined, ...withoutFailures }
      states.set(id, state)
    }
    if (known.state !== "up" || known.last === undefined || known.last.answer.info.players === 0) {
      state.reading = undefined
      return undefined
    }
    return !state.isReading && known.last.at > state.readFor ? state : undefined
  }

  const poll = Effect.gen(function* () {
    if (!monitor.plan().hasConsoles) return states.clear()
    const ours = new Map(
      monitor.ownTargets().flatMap((target) => (target.group.rconPasswordFile ? [[target.id, target]] : []))
    )
    for (const [id, state] of states) {
      if (monitor.targets.get(id)?.group.rconPasswordFile === undefined) states.delete(id)
      // If another instance queries the target now, this instance removes only the reading. This instance does not reset the pause after
      // failures, because it may query the target again later.
      else if (!ours.has(id)) state.reading = undefined
    }
    const files = new Map<string, PasswordFile>()
    for (const target of ours.values()) {
      const state = findDue(target)
      if (state === undefined) continue
      state.readFor = target.known.last!.at
      const name = target.group.rconPasswordFile!
      const file = files.get(name) ?? (yield* Effect.promise(() => readPasswordFile(name)))
      files.set(name, file)
      if (file.problem !== (problems.get(name) ?? "")) {
        problems.set(name, file.problem)
        if (file.problem !== "") log("warn", `no console of group ${target.group.name} is read: ${file.problem}`)
      }
      if (state.signature !== file.signature) Object.assign(state, withoutFailures, { signature: file.signature })
      const now = yield* Clock.currentTimeMillis
      if (file.password === undefined) {
        const message = "This instance cannot read the RCON password file of the group."
        state.reading = { at: now, error: { _tag: "NoPassword", message } }
      } else if (now >= state.waitsUntil) {
        state.isReading = true
        const reading = Effect.ensuring(
          places.withPermits(1)(read(target, state, file.password)),
          Effect.sync(() => (state.isReading = false))
        )
        yield* Effect.forkIn(reading, scope)
      }
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(poll, Effect.sleep(POLL_INTERVAL))))
  return { of: (id: number) => states.get(id)?.reading }
})

/** Reads consoles until the scope of the layer closes. */
export const layer = (
  onEvent: (event: MonitorEvent) => void
): Layer.Layer<never, never, Monitor | Datagrams | Streams> => Layer.effect(Consoles, run(onEvent))
