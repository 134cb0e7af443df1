/** Runs `sourcewire health`: queries a server once and evaluates its health. */
import { type Answer, Client } from "@sourcewire/core"
import type { Replies } from "@sourcewire/core/query"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ExitCode, Reported } from "../exitCode.ts"
import { errorJson, jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { formatSentence } from "../output/sentences.ts"
import { uncoloured } from "../output/text.ts"
import { clientLayer, separate } from "../query/runQueries.ts"
import type { Target } from "../query/target.ts"
import { parseTargets } from "../query/targets.ts"
import { plural, roundTrip, roundTripJson } from "../view/quantities.ts"
import type { HealthSettings } from "./flags.ts"
import type { HealthState } from "./state.ts"

type Info = Answer<Replies["info"]>

interface Failure {
  readonly _tag: string
  readonly message: string
}

/** Whether a name matches a pattern. A `*` in the pattern matches any text. Upper and lower case are treated as equal. */
const fits = (name: string, pattern: string): boolean => {
  const [first = "", ...rest] = pattern.toLowerCase().split("*")
  const text = name.toLowerCase()
  if (rest.length === 0) return text === first
  if (!text.startsWith(first)) return false
  const last = rest.pop()!
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

const countPeople = ({ bots = 0, players }: Replies["info"]): number => Math.max(0, players - bots)

/** Returns the reason why a server that replied is unhealthy, or `undefined` if the server is healthy. */
const findFaults = ({ value: info }: Info, { map, minPlayers = 0 }: HealthSettings): Failure | undefined => {
  const people = countPeople(info)
  const faults = [
    ...(people < minPlayers ? [`${plural(people, "player")}; --min-players requires ${minPlayers}`] : []),
    ...(map === undefined || fits(info.map, map) ? [] : [`the map is ${info.map}; --map requires ${map}`])
  ]
  return faults.length === 0 ? undefined : { _tag: "Unhealthy", message: `${faults.join(", and ")}.` }
}

/**
 * Queries the ports that the server's game may use, one after the other. If a port times out or is closed, the next port is queried. After
 * any other error, no more ports are queried. Returns the first reply, or the error of the first port if no port replied.
 */
const queryTargets = Effect.fnUntraced(function* (targets: ReadonlyArray<Target>, settings: HealthSettings) {
  const client = yield* Client
  const { encoding, retries, timeout } = settings
  let first: Result.Result<Info, Failure> | undefined
  for (const { address, notQueryable } of targets) {
    const result: Result.Result<Info, Failure> =
      notQueryable === undefined
        ? yield* separate(client.queryKind("info", address, { timeoutMs: timeout, retries, encoding }))
        : Result.fail(notQueryable)
    first ??= result
    if (Result.isSuccess(result)) return result
    if (result.failure._tag !== "Timeout" && result.failure._tag !== "PortClosed") break
  }
  return first!
})

interface Verdict {
  readonly state: "healthy" | "starting" | "unhealthy"
  readonly exitCode: ExitCode
  /** The result of the check as text. */
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

const infoJson = (answer: Info) => {
  const { bots, map, maxPlayers, players } = answer.value
  return { ...roundTripJson(answer), map, players, maxPlayers, bots }
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

const judge = (
  result: Result.Result<Info, Failure>,
  settings: HealthSettings,
  earlier: HealthState,
  nowMs: number
): Verdict => {
  if (Result.isSuccess(result)) {
    const answer = result.success
    const { map, maxPlayers, players } = answer.value
    const fault = findFaults(answer, settings)
    if (fault !== undefined) {
      const json = { ...infoJson(answer), error: errorJson(fault) }
      return { state: "unhealthy", exitCode: ExitCode.Failure, text: fault.message, json }
    }
    const text = `${players}/${maxPlayers} players on ${uncoloured(map)}, RTT ${roundTrip(answer)}`
    return { state: "healthy", exitCode: ExitCode.Success, text, json: infoJson(answer) }
  }
  const { failure } = result
  const error = errorJson(failure)
  const { firstAt, repliedAt } = earlier
  const { maxAge = 0, startGrace = 0 } = settings
  const message = uncoloured(failure.message)
  if (repliedAt !== undefined && nowMs - repliedAt <= maxAge * 1000) {
    const ageSeconds = seconds(nowMs - repliedAt)
    const text = `the last reply was ${plural(ageSeconds, "second")} ago (--max-age: ${maxAge} s). ${message}`
    return { state: "healthy", exitCode: ExitCode.Success, text, json: { ageSeconds, error } }
  }
  if (repliedAt === undefined && nowMs - firstAt < startGrace * 1000) {
    const text = `no reply yet, ${plural(seconds(nowMs - firstAt), "second")} after the first check (--start-grace: ${startGrace} s). ${message}`
    return { state: "starting", exitCode: ExitCode.Starting, text, json: { error } }
  }
  const exitCode = failure._tag === "Refused" ? ExitCode.Refused : ExitCode.Failure
  return { state: "unhealthy", exitCode, text: message, json: { error } }
}

/**
 * Evaluates the health of a server. Without `--start-grace` and `--max-age`, this function neither reads nor writes the state file. With
 * one of these flags, this function considers the state that earlier checks stored. It then stores a new state if the server replied or if
 * there was no valid stored state.
 */
const judgeWithState = Effect.fnUntraced(function* (
  result: Result.Result<Info, Failure>,
  settings: HealthSettings,
  name: string
) {
  const nowMs = yield* Clock.currentTimeMillis
  if (settings.startGrace === undefined && settings.maxAge === undefined) {
    return judge(result, settings, { firstAt: nowMs }, nowMs)
  }
  const { readState, defaultStateFile, writeState } = yield* Effect.promise(() => import("./state.ts"))
  const { err } = yield* Output
  const file = settings.state ?? defaultStateFile(name)
  const earlier = readState(file, nowMs)
  const { firstAt, repliedAt } = earlier ?? { firstAt: nowMs }
  const replied = Result.isSuccess(result) ? nowMs : repliedAt
  const next = replied === undefined ? { firstAt } : { firstAt, repliedAt: replied }
  if (earlier === undefined || Result.isSuccess(result)) {
    const written = Result.try({ try: () => writeState(file, next), catch: (error) => error })
    if (Result.isFailure(written)) {
      const { explainSystemError } = yield* Effect.promise(() => import("../systemError.ts"))
      const reason = explainSystemError(written.failure)
      yield* err.line(
        formatSentence(err, "", `Cannot write ${file}: ${reason}. Use --state FILE with a writable file.`)
      )
    }
  }
  return judge(result, settings, { firstAt, ...(repliedAt === undefined ? {} : { repliedAt }) }, nowMs)
})

export const runHealth = Effect.fnUntraced(
  function* (settings: HealthSettings) {
    const { out } = yield* Output
    const [target] = yield* parseTargets([settings.address], undefined, settings.game)
    const { name, others = [] } = target!
    const result = yield* queryTargets([target!, ...others], settings)
    const { exitCode, json, state, text } = yield* judgeWithState(result, settings, name)
    const isOk = exitCode === ExitCode.Success
    yield* out.line(
      settings.json
        ? jsonLine({ address: name, ok: isOk, state, ...json })
        : formatSentence(out, "", `${name} is ${state}: ${text}`)
    )
    if (!isOk) return yield* new Reported(exitCode)
  },
  (run, { trace }) => Effect.provide(run, clientLayer(trace))
)
