/**
 * Reads the consoles of the servers whose group has `rconPasswordFile`: `status` over RCON, after each reply with players. The players are
 * in the memory of the instance that queries the server, and nowhere else: they are not stored. Addresses of players are dropped at once.
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
import type { Trouble, Watched } from "../watch/Watched.ts"
import { consoleStatus } from "./ConsoleStatus.ts"
import { BANNED_MS, pauseAfter, pauseAfterRefusal } from "./pauses.ts"

/** The result of the last reading of a console. */
export type ConsoleReading = { readonly at: number } & (
  | {
      readonly players: ReadonlyArray<StatusPlayer>
      /** Lines that could not be read. */
      readonly unread: number
    }
  | { readonly error: Trouble }
)

/** The last readings, by the number of the target; none unless something reads consoles. */
export const Consoles = Context.Reference<{ readonly of: (target: number) => ConsoleReading | undefined }>(
  "@sourcewire/monitor/Consoles",
  { defaultValue: () => ({ of: () => undefined }) }
)

const LOOK = "1 second"

/** Most consoles that are read at the same time. */
const AT_ONCE = 16

/** A password file: a text that changes with the file, and the password, or why there is none. */
interface PasswordFile {
  readonly signature: string
  readonly password: Redacted.Redacted<string> | undefined
  readonly problem: string
}

const readPasswordFile = async (file: string): Promise<PasswordFile> => {
  const signature = await readSignature(file)
  return secretIn(file).then(
    (secret) => ({ signature, password: Redacted.make(secret), problem: "" }),
    (error: unknown) => ({ signature, password: undefined, problem: (error as Error).message })
  )
}

/** The state of a console. */
interface Memory {
  /** When the reply arrived after which the console was last read. */
  readFor: number
  isReading: boolean
  /** The password file that was used last. The rest of the state is about this file. */
  signature: string
  waitsUntil: number
  refusals: number
  failures: number
  /** The protocol with which the password was accepted. */
  engine: RconEngine | undefined
  reading: ConsoleReading | undefined
}

const forgotten = { waitsUntil: 0, refusals: 0, failures: 0, engine: undefined } as const

const withoutAddress = ({ address: _address, ...player }: StatusPlayer): StatusPlayer => player

/** Whether a failure may mean that the password is wrong. HLTV and Xash3D do not reply to a wrong password. */
const mayBeRefusal = (error: { readonly _tag: string; readonly phase?: string }, { engine }: Memory): boolean =>
  error._tag === "AuthenticationFailed" || (error.phase === "authentication" && engine === undefined)

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const places = yield* Semaphore.make(AT_ONCE)
  const scope = yield* Effect.scope
  const memories = new Map<number, Memory>()
  /** Problems of password files that were logged. */
  const problems = new Map<string, string>()

  const log = (level: "info" | "warn", message: string): void => onEvent({ level, event: "console", message })

  const fail = ({ address }: Watched, memory: Memory, at: number, error: Trouble): void => {
    const { reading } = memory
    const isNews = reading === undefined || !("error" in reading) || reading.error.message !== error.message
    memory.reading = { at, error }
    if (isNews) log("warn", `the console of ${address} cannot be read: ${error.message}`)
  }

  const read = Effect.fnUntraced(function* (target: Watched, memory: Memory, password: Redacted.Redacted<string>) {
    const { intervalMs, way } = target.group
    const address = formatAddress({ host: target.host, port: target.port })
    const { engine, signature } = memory
    const options = {
      password,
      timeoutMs: way.timeoutMs,
      reconnect: false,
      ...(engine === undefined ? {} : { engine })
    }
    const result = yield* Effect.result(consoleStatus(address, options))
    const now = yield* Clock.currentTimeMillis
    // The file has changed meanwhile, or the target is not queried here any more.
    if (memories.get(target.id) !== memory || memory.signature !== signature) return
    if (Result.isSuccess(result)) {
      const { players, unread } = result.success.status
      const reading = { at: now, players: players.map(withoutAddress), unread: unread.length }
      if (memory.reading !== undefined && "error" in memory.reading) {
        log("info", `the console of ${target.address} can be read again`)
      }
      Object.assign(memory, forgotten, { engine: result.success.engine, reading })
      return
    }
    const { failure } = result
    if (mayBeRefusal(failure, memory)) {
      const [ms, sentence] = pauseAfterRefusal(++memory.refusals)
      memory.waitsUntil = now + ms
      const what = failure._tag === "AuthenticationFailed" ? "The server refused the RCON password." : failure.message
      return fail(target, memory, now, { _tag: failure._tag, message: `${what} ${sentence}` })
    }
    memory.failures++
    memory.waitsUntil = now + (failure._tag === "Refused" ? BANNED_MS : pauseAfter(memory.failures, intervalMs))
    return fail(target, memory, now, { _tag: failure._tag, message: failure.message })
  })

  /** The memory of a target whose console is due, since players have been queried. */
  const findDue = (target: Watched): Memory | undefined => {
    const { id, known } = target
    let memory = memories.get(id)
    if (memory === undefined) {
      memory = { readFor: 0, isReading: false, signature: "", reading: undefined, ...forgotten }
      memories.set(id, memory)
    }
    if (known.state !== "up" || known.last === undefined || known.last.answer.info.players === 0) {
      memory.reading = undefined
      return undefined
    }
    return !memory.isReading && known.last.at > memory.readFor ? memory : undefined
  }

  const look = Effect.gen(function* () {
    if (!monitor.plan().hasConsoles) return memories.clear()
    const ours = new Map(
      monitor.ours().flatMap((target) => (target.group.rconPasswordFile ? [[target.id, target]] : []))
    )
    for (const [id, memory] of memories) {
      if (monitor.targets.get(id)?.group.rconPasswordFile === undefined) memories.delete(id)
      // Another instance queries it, and this one continues to wait if it gets the target back.
      else if (!ours.has(id)) memory.reading = undefined
    }
    const files = new Map<string, PasswordFile>()
    for (const target of ours.values()) {
      const memory = findDue(target)
      if (memory === undefined) continue
      memory.readFor = target.known.last!.at
      const name = target.group.rconPasswordFile!
      const file = files.get(name) ?? (yield* Effect.promise(() => readPasswordFile(name)))
      files.set(name, file)
      if (file.problem !== (problems.get(name) ?? "")) {
        problems.set(name, file.problem)
        if (file.problem !== "") log("warn", `no console of group ${target.group.name} is read: ${file.problem}`)
      }
      if (memory.signature !== file.signature) Object.assign(memory, forgotten, { signature: file.signature })
      const now = yield* Clock.currentTimeMillis
      if (file.password === undefined) {
        const message = "This instance cannot read the RCON password file of the group."
        memory.reading = { at: now, error: { _tag: "NoPassword", message } }
      } else if (now >= memory.waitsUntil) {
        memory.isReading = true
        const reading = Effect.ensuring(
          places.withPermits(1)(read(target, memory, file.password)),
          Effect.sync(() => (memory.isReading = false))
        )
        yield* Effect.forkIn(reading, scope)
      }
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(LOOK))))
  return { of: (id: number) => memories.get(id)?.reading }
})

/** Reads consoles for the life of the layer. */
export const layer = (
  onEvent: (event: MonitorEvent) => void
): Layer.Layer<never, never, Monitor | Datagrams | Streams> => Layer.effect(Consoles, run(onEvent))
