/** Tests RCON over the transport: over TCP with different splits of the stream, over UDP, and with failures of TCP and UDP. */
import type { PromiseRcon } from "@sourcewire/core"
import type { PromiseRconOptions, Terminator } from "@sourcewire/core/rcon"
import { rconWith } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { makeGoldSourceRcon, makeSourceRcon } from "@sourcewire/server"
import type { SegmentFault, SourceBehaviour } from "@sourcewire/server/machines"
import type { ConformanceCase } from "./ConformanceCase.ts"
import { buildCases, CLOSED, expect, failure, scoped } from "./ConformanceCase.ts"

const PASSWORD = "probe pw"
const password = Redacted.make(PASSWORD)

/** Creates a text of about this many bytes. Its lines are numbered, and contain characters of two and three bytes. */
const makeText = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 12) }, (_, i) => `${i}:Zoë★\n`)
    .join("")
    .slice(0, bytes)

/** Log-in options with a long time limit, so that the cases also pass on a busy machine. */
const LOGIN = { password: PASSWORD, timeoutMs: 15_000 }

const REPLIES: Readonly<Record<string, string>> = {
  none: "",
  short: "short\n",
  packet: makeText(4000),
  long: makeText(40_000)
}

/** A variant of the tests: the behaviour of the server, and the method by which the client detects the end of a reply. */
interface Variant extends Pick<SourceBehaviour, "reads"> {
  readonly terminator: Terminator
  readonly mirror: NonNullable<SourceBehaviour["mirror"]>
}

const VARIANTS: ReadonlyArray<Variant> = [
  { terminator: "auto", mirror: "source" },
  { terminator: "auto", mirror: "text" },
  { terminator: "quiet", mirror: "none", reads: "first-of-segment" }
]

/**
 * Options of the servers in these tests. A server replies to a command with the entry of the command in `REPLIES`. If there is no entry,
 * the reply repeats the command.
 */
const OPTIONS = { password, port: 0, handler: (command: string) => REPLIES[command] ?? `you said ${command}` }

/** Creates the `run` of a case, with a session to a server. */
const withSession = (
  make: ReturnType<typeof makeSourceRcon | typeof makeGoldSourceRcon>,
  options: Omit<PromiseRconOptions, "password">,
  use: (rcon: PromiseRcon) => Promise<void>
) =>
  scoped(function* ({ transport }) {
    const { local } = yield* make
    yield* Effect.promise(async () => {
      await using rcon = await rconWith(transport)(`127.0.0.1:${local.port}`, { ...LOGIN, ...options })
      await use(rcon)
    })
  })

const withSourceServer = (
  { mirror, reads = "all", terminator }: Variant,
  segments: SegmentFault,
  use: (rcon: PromiseRcon) => Promise<void>
) =>
  withSession(
    makeSourceRcon({ ...OPTIONS, behaviour: { mirror, reads }, segments }),
    { engine: "source", terminator },
    use
  )

const execAll = async (rcon: PromiseRcon): Promise<void> => {
  for (const [command, reply] of Object.entries(REPLIES)) {
    const got = await rcon.exec(command)
    expect(got === reply, `${command}: ${got.length} characters came, not these ${reply.length}`)
  }
}

/** The replies to the log-in and to the first command are within this number of bytes at the start of the server's stream. */
const FIRST_BYTES = 64

const cutCases = VARIANTS.flatMap((manner) => {
  const words = `end of reply ${manner.terminator}, server mirrors ${manner.mirror}`
  const all = (segments: SegmentFault) => withSourceServer(manner, segments, execAll)
  return buildCases("rcon", {
    [`the server's own segments, ${words}`]: all({}),
    [`five bytes per segment, ${words}`]: all({ segmentBytes: 5 }),
    [`all packets in one segment, ${words}`]: all({ joinMs: 30 }),
    [`cut at each of the first ${FIRST_BYTES} bytes, ${words}`]: async (subject) => {
      const cuts = Array.from({ length: FIRST_BYTES }, (_, i) => i + 1)
      const once = (cut: number) =>
        withSourceServer(manner, { cutAt: [cut] }, async (rcon) => {
          const got = await rcon.exec("short")
          expect(got === REPLIES["short"], `cut at ${cut}: ${JSON.stringify(got)}`)
        })(subject)
      await Effect.runPromise(
        Effect.forEach(cuts, (cut) => Effect.promise(() => once(cut)), { concurrency: 16, discard: true })
      )
    }
  })
})

const sourceCases = buildCases("rcon", {
  "a wrong password": scoped(function* (subject) {
    const { local } = yield* makeSourceRcon(OPTIONS)
    const address = `127.0.0.1:${local.port}`
    const connecting = rconWith(subject.transport)(address, { ...LOGIN, password: "no", engine: "source" })
    const tag = yield* Effect.promise(() => failure(connecting))
    expect(tag === "AuthenticationFailed", `fails with ${String(tag)}`)
  }),
  "a closed TCP port": async ({ transport }) => {
    const tag = await failure(rconWith(transport)(CLOSED, { ...LOGIN, engine: "source" }))
    expect(tag === "PortClosed", `fails with ${String(tag)}`)
  },
  "100 commands at once": withSourceServer({ terminator: "auto", mirror: "source" }, {}, async (rcon) => {
    const commands = Array.from({ length: 100 }, (_, i) => `say ${i}`)
    const replies = await Promise.all(commands.map((command) => rcon.exec(command)))
    expect(
      replies.every((reply, i) => reply === `you said say ${i}`),
      "replies were mixed up"
    )
  })
})

const overUdp = (engine: "goldsource" | "quake") =>
  withSession(makeGoldSourceRcon({ ...OPTIONS, dialect: engine }), { engine }, async (rcon) => {
    const reply = await rcon.exec("status")
    expect(reply === "you said status", `replied ${JSON.stringify(reply)}`)
  })

export const rconCases: ReadonlyArray<ConformanceCase> = [
  ...cutCases,
  ...sourceCases,
  ...buildCases("rcon", { "goldsource, over UDP": overUdp("goldsource"), "quake, over UDP": overUdp("quake") })
]
