/** Runs `sourcewire serve`: emulated servers that run until they are stopped. */
import { formatAddress } from "@sourcewire/core"
import { DEFAULT_PORT } from "@sourcewire/core/address"
import { makeServer, profiles } from "@sourcewire/emulator"
import { type Served, faultSwitches, parseFaults } from "@sourcewire/emulator/machines"
import type { Intercept } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { isLoopback, parseBindAndPort } from "../bind.ts"
import { UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { canShow } from "../live/canShow.ts"
import { Output } from "../output/output.ts"
import { consolesFor, allOrNothing, withConsole } from "./serveRcon.ts"
import { byteSize, plural, some } from "../view/quantities.ts"
import { MASTER_PORT, serveMaster } from "./serveMaster.ts"
import { given } from "../options.ts"
import type { ProfileName, ServeSettings } from "./flags.ts"
import type { ServedOne } from "./serveView.ts"

const HIGHEST_PORT = 65_535

/**
 * Maximum number of further attempts if the first attempt to find a free port fails. A server with Source RCON needs a UDP port and a TCP
 * port with the same number. The operating system chooses a free UDP port, but another program may use the TCP port.
 */
const MORE_PORTS = 4

/** Returns the faults that the flags select, each as a text of the form `NAME` or `NAME=VALUE`. */
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
    dropped > 0 && `${dropped} dropped`
  ).join(", ")
}

/** Reads the replies in the file of `--replies`. The code for this flag is loaded only if the flag is used. */
const loadReplies = Effect.fnUntraced(function* (file: string, host: string, faults: ReadonlyArray<string>) {
  const { servedReplies } = yield* Effect.promise(() => import("./servedReplies.ts"))
  return yield* servedReplies(file, host, faults)
})

/**
 * Combines two intercepts into one intercept, which calls `first` with each datagram. If `first` does not handle a datagram, it calls
 * `second`.
 */
const chain = (first: Intercept | undefined, second: Intercept | undefined): Intercept | undefined =>
  first === undefined || second === undefined
    ? (first ?? second)
    : (...datagram) => first(...datagram) || second(...datagram)

/** Returns warnings about servers that other hosts can reach. If the servers listen on loopback, there are no warnings. */
const listWarnings = (host: string, count: number, trusts: boolean, hasRcon: boolean): ReadonlyArray<string> =>
  isLoopback(host)
    ? []
    : some(
        `Listening on ${host}: ${plural(count, "server is", "servers are")} reachable from other hosts.`,
        trusts && "Emulated servers of old games send large replies to unverified senders.",
        hasRcon && "RCON sends the password unencrypted."
      )

export const runServe = Effect.fnUntraced(
  function* (settings: ServeSettings) {
    const { err, notes, out } = yield* Output
    const { map, name, people } = settings
    const faulty = faultsIn(settings)
    const faults =
      faulty.length === 0
        ? undefined
        : yield* Effect.mapError(
            Effect.fromResult(parseFaults(faulty)),
            ({ message }) => new UsageError(`--${message}`)
          )
    const { host, port: first } = yield* Effect.fromResult(parseBindAndPort(settings.bind, settings.port, DEFAULT_PORT))
    const isPortGiven = settings.port !== undefined || first !== DEFAULT_PORT
    const replies = settings.replies === undefined ? undefined : yield* loadReplies(settings.replies, host, faulty)
    const consoleFor = yield* consolesFor(settings)
    const hasMaster = settings.master !== undefined
    const names: ReadonlyArray<ProfileName> = settings.profile.length === 0 && !hasMaster ? ["css"] : settings.profile
    const behind = first + names.length
    const last = hasMaster && isPortGiven ? behind : behind - 1
    if (first > 0 && last > HIGHEST_PORT) {
      return yield* new UsageError(
        `The last server would listen on port ${last}, but the highest port is ${HIGHEST_PORT}. Use a lower --port.`
      )
    }
    const log =
      !settings.json && canShow() ? new (yield* Effect.promise(() => import("./ServedLog.ts"))).ServedLog() : undefined
    /** Prints that a server is ready, as JSON or text. Prints nothing if the live view is used, because the live view shows the servers. */
    const announce = ({ besides, listening, what }: ServedOne, facts: Record<string, unknown>) =>
      settings.json
        ? out.line(jsonLine({ listening, ...facts }))
        : log === undefined
          ? out.line(`Emulating ${what} on ${listening}${besides === "" ? "" : ` (${besides})`}`)
          : Effect.void
    const start = Effect.fnUntraced(function* (what: ProfileName, index: number) {
      const port = first === 0 ? 0 : first + index
      const profile = profiles[what](given({ port: port || undefined, name, map, people }))
      const make = (rcon?: Intercept) =>
        makeServer({
          profile,
          host,
          port,
          allowAmplification: settings.allowAmplification,
          // The intercept of RCON is called first, because it must also handle queries from banned addresses. If the intercept of
          // `--replies` were called first, it would reply to these queries.
          ...given({
            intercept: chain(rcon, replies?.intercept),
            faults,
            onServed: log && ((served: Served) => log.take(served, index, Date.now()))
          })
        })
      const console = consoleFor?.(what)
      const server = yield* console === undefined
        ? make()
        : Effect.retry(allOrNothing(withConsole(profile, console, make)), {
            times: MORE_PORTS,
            while: ({ _tag }) => port === 0 && _tag === "SendFailed"
          })
      const listening = formatAddress({ host: server.address, port: server.port })
      const engine = console?.engine
      const served: ServedOne = {
        listening,
        what,
        besides: some(
          engine !== undefined && `RCON (${engine})`,
          replies && `given ${replies.kinds.join(" + ")}`,
          ...faulty
        )
          .join(", ")
          .replaceAll("=", " "),
        hint: `sourcewire ${engine === undefined ? "query" : "rcon"} ${listening}`,
        counters: server.counters
      }
      yield* announce(served, { profile: what, rcon: engine, replies: replies?.kinds, faults })
      return { server, served }
    })
    const servers = yield* Effect.forEach(names, start)
    const master = yield* serveMaster(
      settings,
      servers.map(({ server }) => server),
      { host, port: first === 0 ? 0 : isPortGiven ? behind : MASTER_PORT }
    )
    if (master !== undefined) yield* announce(master.served, master.summary)
    const all = [...servers, ...(master === undefined ? [] : [master])].map(({ served }) => served)
    const trusts = servers.some(({ server }) => (server.profile.trusts ?? []).length > 0)
    const warnings = listWarnings(host, all.length, trusts, consoleFor !== undefined)
    // The counters must be printed after the live view has restored the terminal. Finalizers run in reverse order: the finalizer that was
    // added first runs last. Therefore this finalizer is added before the live view starts.
    yield* Effect.addFinalizer(() => notes.line(...all.map(counterLine)))
    if (log === undefined) {
      yield* err.line(...warnings.map(err.palette.warning))
      if (!settings.json) yield* out.line("Nothing is stored. Press Ctrl-C to stop.")
      return yield* Effect.never
    }
    const { showServe } = yield* Effect.promise(() => import("./serveView.ts"))
    return yield* showServe({ servers: all, log, warnings })
  },
  Effect.scoped,
  Effect.provide(layer),
  // The error message of the library contains the name of an option. For the user, the name of the flag replaces the name of the option.
  Effect.catchTag("InvalidOption", ({ message }) =>
    Effect.fail(new UsageError(message.replace("set allowAmplification to true", "add --allow-amplification")))
  )
)
