/** Runs emulated servers until somebody presses Ctrl-C: the work of `sourcewire serve`. */
import { formatAddress } from "@sourcewire/core"
import { DEFAULT_PORT } from "@sourcewire/core/machines"
import { makeServer, profiles } from "@sourcewire/emulator"
import { type Served, faultSwitches, parseFaults } from "@sourcewire/emulator/machines"
import { HandshakeResponder, type Intercept, inFront } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { isLoopback, parseHost } from "../bind.ts"
import { UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { canShow } from "../live/canShow.ts"
import { Output } from "../output/output.ts"
import { consolesOf, whole, withConsole } from "./serveRcon.ts"
import { byteSize, plural, some } from "../view/quantities.ts"
import { MASTER_PORT, serveMaster } from "./serveMaster.ts"
import { given } from "../options.ts"
import type { ProfileName, ServeSettings } from "./command.ts"
import type { ServedOne } from "./serveView.ts"

/** Games on Valve's Source engine, which alone knows the handshake. It has no faults. */
const OF_SOURCE: ReadonlySet<ProfileName> = new Set(["css", "tf2", "ship"])

const HIGHEST_PORT = 65_535

/** Ports tried where the system chooses one for UDP whose TCP port, for RCON, turns out to be taken. */
const MORE_PORTS = 4

/** The faults of the command line, without its dashes. */
const faultsIn = (settings: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  faultSwitches.flatMap(({ name }) => {
    const value = settings[name] ?? false
    return value === true ? [name] : value === false ? [] : [`${name}=${value}`]
  })

const counterLine = ({ counters, listening, named = listening }: ServedOne): string => {
  const { bytesIn, bytesOut, dropped = 0, replies, requests, unanswered } = counters()
  return some(
    `${named}  ${plural(requests, "request")} (${byteSize(bytesIn)})`,
    `${plural(replies, "reply", "replies")} (${byteSize(bytesOut)})`,
    unanswered > 0 && `${unanswered} unanswered`,
    dropped > 0 && `${dropped} given up`
  ).join(", ")
}

/** What whoever has servers listen beyond this computer should know. */
const warningsOf = (host: string, count: number, trusts: boolean, hasRcon: boolean): ReadonlyArray<string> =>
  isLoopback(host)
    ? []
    : some(
        `Listening on ${host}: others can reach ${plural(count, "server")} here.`,
        trusts && "Old games among them answer forged senders with many times what they got.",
        hasRcon && "RCON's password travels in clear text."
      )

export const runServe = Effect.fnUntraced(
  function* (settings: ServeSettings) {
    const { err, out } = yield* Output
    const { map, name, people } = settings
    const faulty = faultsIn(settings)
    const faults = faulty.length === 0 ? undefined : yield* Effect.fromResult(parseFaults(faulty))
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
    const start = Effect.fnUntraced(function* (what: ProfileName, index: number) {
      const port = first === 0 ? 0 : first + index
      const profile = profiles[what](given({ port: port || undefined, name, map, people }))
      const handshake = OF_SOURCE.has(what) ? inFront(new HandshakeResponder()) : undefined
      // RCON first: it has a word for banned addresses, whatever they ask.
      const make = (rcon?: Intercept) =>
        makeServer({
          profile,
          host,
          port,
          allowAmplification: settings.allowAmplification,
          intercept: (...asked) => rcon?.(...asked) === true || handshake?.(...asked) === true,
          ...given({ faults, onServed: log && ((served: Served) => log.take(served, index, Date.now())) })
        })
      const console = consoleOf?.(what)
      const server = yield* console === undefined
        ? make()
        : Effect.retry(whole(withConsole(profile, console, make)), {
            times: MORE_PORTS,
            while: ({ _tag }) => port === 0 && _tag === "SendFailed"
          })
      const listening = formatAddress({ host: server.address, port: server.port })
      const engine = console?.engine
      yield* tell({ listening, profile: what, rcon: engine, faults })
      const served: ServedOne = {
        listening,
        what,
        besides: [...(engine === undefined ? [] : [`RCON (${engine})`]), ...faulty].join(", ").replaceAll("=", " "),
        hint: `sourcewire ${engine === undefined ? "query" : "rcon"} ${listening}`,
        counters: server.counters
      }
      return { server, served }
    })
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
    return yield* showServe({ servers: all, log, warnings })
  },
  Effect.scoped,
  Effect.provide(layer),
  Effect.catchTag("InvalidServer", ({ message, option }) =>
    Effect.fail(new UsageError(option === "allowAmplification" ? `${message} That is --allow-amplification.` : message))
  )
)
