/** Runs emulated servers until somebody presses Ctrl-C: the work of `sourcewire serve`. */
import { formatAddress } from "@sourcewire/core"
import { DEFAULT_PORT } from "@sourcewire/core/machines"
import { type Faults, makeServer, profiles } from "@sourcewire/emulator"
import { type ProfileOptions, faultSwitches, parseFaults } from "@sourcewire/emulator/machines"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { isLoopback, parseHost, whyNotListening } from "../bind.ts"
import { ProgramError, UsageError, orUsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output, canShow } from "../output/output.ts"
import { consolesOf, whole, withConsole } from "./serveRcon.ts"
import { byteSize, plural } from "../view/quantities.ts"
import { MASTER_PORT, serveMaster } from "./serveMaster.ts"
import type { ProfileName, ServeSettings } from "./command.ts"
import type { ServedOne } from "./serveView.ts"

/** Games on Valve's Source engine, which alone knows the handshake. It has no faults. */
const OF_SOURCE: ReadonlySet<ProfileName> = new Set(["css", "tf2", "ship"])

const HIGHEST_PORT = 65_535

/** Ports tried where the system chooses one for UDP whose TCP port, for RCON, turns out to be taken. */
const MORE_PORTS = 4

const faultsOf = (settings: ServeSettings): Effect.Effect<Faults | undefined, UsageError> => {
  const given = Object.entries(settings.faults).flatMap(([name, value]) =>
    typeof value === "boolean" ? (value ? [name] : []) : value === undefined ? [] : [`${name}=${value}`]
  )
  return given.length === 0 ? Effect.undefined : orUsageError(parseFaults(given))
}

const profileOptions = ({ map, name, people }: ServeSettings): ProfileOptions => ({
  ...(name === undefined ? {} : { name }),
  ...(map === undefined ? {} : { map }),
  ...(people === undefined ? {} : { people })
})

/** As on the command line, without its dashes. */
const faultWords = (faults: Faults = {}): ReadonlyArray<string> =>
  faultSwitches.flatMap(({ key, name }) => {
    const value = faults[key]
    return value === undefined ? [] : [value === true ? name : `${name} ${value}`]
  })

const counterLine = ({ counters, listening, named = listening }: ServedOne): string => {
  const { bytesIn, bytesOut, dropped = 0, replies, requests, unanswered } = counters()
  return [
    `${named}  ${plural(requests, "request")} (${byteSize(bytesIn)})`,
    `${plural(replies, "reply", "replies")} (${byteSize(bytesOut)})`,
    ...(unanswered > 0 ? [`${unanswered} unanswered`] : []),
    ...(dropped > 0 ? [`${dropped} given up`] : [])
  ].join(", ")
}

/** What whoever has servers listen beyond this computer should know. */
const warningsOf = (host: string, count: number, trusts: boolean, hasRcon: boolean): ReadonlyArray<string> =>
  isLoopback(host)
    ? []
    : [
        `Listening on ${host}: others can reach ${plural(count, "server")} here.`,
        ...(trusts ? ["Old games among them answer forged senders with many times what they got."] : []),
        ...(hasRcon ? ["RCON's password travels in clear text."] : [])
      ]

/** Starts every server, says where they listen, and waits to be interrupted. */
export const runServe = Effect.fnUntraced(function* (settings: ServeSettings) {
  const { err, out } = yield* Output
  const faults = yield* faultsOf(settings)
  const host = parseHost(settings.bind)
  if (host === undefined) {
    return yield* new UsageError(`--bind takes a numeric address such as 127.0.0.1 or ::1, not "${settings.bind}".`)
  }
  const consoleOf = yield* consolesOf(settings)
  const hasMaster = settings.master !== undefined
  const names: ReadonlyArray<ProfileName> = settings.profile.length === 0 && !hasMaster ? ["css"] : settings.profile
  const first = settings.port ?? DEFAULT_PORT
  const behind = first + names.length
  const last = hasMaster && settings.port !== undefined ? behind : behind - 1
  if (first > 0 && last > HIGHEST_PORT) {
    return yield* new UsageError(`There is no port ${last} for the last of the servers.`)
  }
  const log =
    !settings.json && canShow() ? new (yield* Effect.promise(() => import("./ServedLog.ts"))).ServedLog() : undefined
  // A line of JSON with and without --json: whoever starts a server from a script waits for it.
  const tell = (facts: Record<string, unknown>) => (log === undefined ? out.line(jsonLine(facts)) : Effect.void)
  const start = Effect.fnUntraced(function* (name: ProfileName, index: number) {
    const port = first === 0 ? 0 : first + index
    const profile = profiles[name]({ ...(port === 0 ? {} : { port }), ...profileOptions(settings) })
    const intercepts = OF_SOURCE.has(name) ? [inFront(new HandshakeResponder())] : []
    const make = (intercept = intercepts[0]) =>
      makeServer({
        profile,
        host,
        port,
        allowAmplification: settings.allowAmplification,
        ...(log === undefined ? {} : { onServed: (served) => log.take(served, index, Date.now()) }),
        ...(intercept === undefined ? {} : { intercept }),
        ...(faults === undefined ? {} : { faults })
      })
    const console = consoleOf?.(name)
    const server = yield* console === undefined
      ? make()
      : Effect.retry(whole(withConsole(profile, console, intercepts, make)), {
          times: MORE_PORTS,
          while: ({ _tag }) => port === 0 && _tag === "SendFailed"
        })
    const listening = formatAddress({ host: server.address, port: server.port })
    const engine = console?.engine
    yield* tell({ listening, profile: name, rcon: engine, faults })
    const served: ServedOne = {
      listening,
      what: name,
      besides: [...(engine === undefined ? [] : [`RCON (${engine})`]), ...faultWords(faults)].join(", "),
      hint: `sourcewire ${engine === undefined ? "query" : "rcon"} ${listening}`,
      counters: server.counters
    }
    return { server, served }
  })
  const running = Effect.gen(function* () {
    const servers = yield* Effect.forEach(names, start)
    const master = yield* serveMaster(
      settings,
      servers.map(({ server }) => server),
      { host, port: first === 0 ? 0 : settings.port === undefined ? MASTER_PORT : behind }
    )
    if (master !== undefined) yield* tell(master.told)
    const all = [...servers, ...(master === undefined ? [] : [master])].map(({ served }) => served)
    const trusts = servers.some(({ server }) => (server.profile.trusts ?? []).length > 0)
    const warnings = warningsOf(host, all.length, trusts, consoleOf !== undefined)
    // Before a view takes the terminal, and so after it is given back.
    yield* Effect.addFinalizer(() => err.line(...all.map(counterLine)))
    if (log === undefined) {
      yield* err.line(...warnings.map(err.palette.warning))
      return yield* Effect.never
    }
    const { showServe } = yield* Effect.promise(() => import("./serveView.ts"))
    return yield* showServe(all, log, warnings)
  })
  yield* Effect.scoped(running).pipe(
    Effect.provide(layer),
    Effect.catchTag(["InvalidServer"], ({ message, option }) =>
      Effect.fail(
        new UsageError(option === "allowAmplification" ? `${message} That is --allow-amplification.` : message)
      )
    ),
    Effect.catchTag(["EncodeError", "SendFailed"], (error) => Effect.fail(new ProgramError(whyNotListening(error))))
  )
})
