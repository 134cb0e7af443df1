/**
 * The responder under attack: its rate beside a raw echo loop, memory under forged addresses, honest clients during a flood, and how
 * much comes back for what was sent. Prints a table; with --write it goes to docs/benchmarks/responder.md too.
 *
 *     pnpm bench:responder [--rounds N] [--seconds S] [--write]
 *
 * Exits with 1 when a criterion is missed. Everything is on loopback.
 */
import { profiles } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { type Profile, RateLimiter, Responder } from "@sourcewire/server"
import { connect } from "@sourcewire/transport-node"
import { compress } from "@sourcewire/server/machines"
import { median, note, options, report } from "./report.ts"
import { startChild } from "./responder/child.ts"
import { flood, INFO, type Question, saturate } from "./responder/load.ts"

const { rounds, seconds, write } = options({ rounds: 5, seconds: 20 })

const REPLIES = 40_000
const QUESTIONS: Readonly<Record<Question, string>> = {
  stranger: "INFO of strangers, answered by a challenge",
  info: "INFO with a challenge",
  players: "PLAYER with a challenge",
  rules: "RULES with a challenge, in two fragments"
}

const rows: Array<ReadonlyArray<string | number>> = []
const failures: Array<string> = []
const add = (kind: string, what: string, measured: string | number, wanted = "", holds = true): void => {
  rows.push([kind, what, measured, wanted])
  if (!holds) failures.push(`${what}: ${measured} (${wanted})`)
}

/** Replies per second of CPU time, beside those of a loop that sends back what it gets. */
const rates = async (): Promise<void> => {
  const echo = await startChild("echo")
  const ours = await startChild("responder")
  const perCpuSecond = async (child: typeof echo, question: Question): Promise<number> => {
    const before = await child.usage()
    await saturate(child.port, question, REPLIES)
    const after = await child.usage()
    return (after.replies - before.replies) / ((after.cpuMs - before.cpuMs) / 1000)
  }
  const questions = Object.keys(QUESTIONS) as Array<Question>
  const measured = new Map(questions.map((question): [Question, Array<number>] => [question, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const question of questions) {
      const base = await perCpuSecond(echo, "stranger")
      const ratio = (await perCpuSecond(ours, question)) / base
      // The first round warms up.
      if (round > 0) measured.get(question)!.push(ratio)
      note(".")
    }
  }
  echo.stop()
  ours.stop()
  for (const [question, ratios] of measured) {
    const ratio = median(ratios)
    add("rate, echo loop = 1", QUESTIONS[question], ratio.toFixed(2), "at least 0.60", ratio >= 0.6)
  }
}

const MEGABYTE = 1024 * 1024
const usedBytes = (): number => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** A million addresses past the responder itself, with nothing in between. */
const million = (): void => {
  const responder = new Responder(profiles.css(), { limit: new RateLimiter({ perSecond: 100 }) })
  const feed = (from: number, count: number): void => {
    for (let i = from; i < from + count; i++) {
      const address = `${10 + ((i >> 24) & 63)}.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
      responder.respond(INFO, address, 1024 + (i & 0x7fff), i / 1000)
    }
  }
  feed(0, 10_000)
  const before = usedBytes()
  feed(10_000, 1_000_000)
  const grown = (usedBytes() - before) / MEGABYTE
  const what = "a million forged addresses past the responder, kept afterwards"
  add("memory", what, `${grown.toFixed(2)} MB`, "at most 1 MB", grown <= 1)
}

/** A flood over real UDP, with a client of ours that goes on asking. */
const underFlood = async (): Promise<void> => {
  const child = await startChild("responder")
  const address = `127.0.0.1:${child.port}`
  await using client = await connect()
  await client.info(address)
  const endsAt = performance.now() + seconds * 1000
  const isOver = (): boolean => performance.now() >= endsAt
  const before = await child.usage()
  const used: Array<number> = []
  const resident: Array<number> = []
  let asked = 0
  let answered = 0
  const honest = async (): Promise<void> => {
    while (!isOver()) {
      asked++
      await client.players(address).then(
        ({ players }) => void (answered += players.length > 0 ? 1 : 0),
        () => {}
      )
    }
  }
  const watch = async (): Promise<void> => {
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const usage = await child.usage()
      used.push(usage.usedBytes)
      resident.push(usage.rssBytes)
    }
  }
  const [forged] = await Promise.all([flood(child.port, 40, isOver), honest(), honest(), watch()])
  const after = await child.usage()
  child.stop()
  const half = used.length >> 1
  const growth = (median(used.slice(half)) - median(used.slice(0, half))) / MEGABYTE
  const factor = (after.bytesOut - before.bytesOut) / (after.bytesIn - before.bytesIn)
  const honestly = "honest queries answered meanwhile (two clients, one question after the other)"
  const beside = "memory of the second half above that of the first"
  add("flood", `forged requests in ${seconds} s over real UDP, from ${forged.addresses} addresses`, forged.sent)
  add("flood", honestly, `${answered} of ${asked}`, "at least 99 %", answered >= 0.99 * asked)
  add("flood", beside, `${growth.toFixed(2)} MB`, "at most 2 MB", growth <= 2)
  add("flood", "resident memory at its end, and most", `${mb(resident.at(-1)!)}, ${mb(Math.max(...resident))} MB`)
  add("flood", "bytes out per byte in, honest queries included", factor.toFixed(2))
}

const mb = (bytes: number): string => (bytes / MEGABYTE).toFixed(0)

const query = (latin1: string): Buffer => Buffer.from(`\xff\xff\xff\xff${latin1}`, "latin1")
const WITHOUT_PROOF: ReadonlyArray<Buffer> = [
  INFO,
  ...["T", "U", "V", "W", "i", "U\0\0\0\0", "U\x01\0\0\0"].map(query),
  ...["U", "V", "W"].map((type) => query(`${type}\xff\xff\xff\xff`)),
  ..."details players rules ping info infostring getchallenge status".split(" ").map(query),
  query("challenge rcon\n"),
  Buffer.concat([INFO, Buffer.alloc(1175)])
]

const factorOf = (replies: ReadonlyArray<Uint8Array>, request: Uint8Array): number =>
  replies.reduce((sum, { length }) => sum + length, 0) / request.length

/** Bytes out for bytes in, UDP payload: at worst without a challenge, and with one. */
const amplification = (): void => {
  for (const name of profileNames) {
    const profile: Profile = profiles[name]()
    const responder = new Responder(profile, { compress })
    const factor = (request: Uint8Array): number => factorOf(responder.respond(request, "192.0.2.1", 1, 0), request)
    const before = Math.max(...WITHOUT_PROOF.map(factor))
    const challenge = Buffer.alloc(4)
    challenge.writeInt32LE(responder.challenges.issue("192.0.2.1", 1, 0))
    const [info, players, rules] = [INFO, query("U"), query("V")].map((head) =>
      factor(Buffer.concat([head, challenge])).toFixed(1)
    )
    const measured = `${before.toFixed(2)} before proof; INFO ${info}, PLAYER ${players}, RULES ${rules} after`
    const { trusts } = profile
    if (trusts === undefined) add("amplification", name, measured, "at most 1.00 before", before <= 1)
    else add("amplification", `${name}, which trusts strangers with ${trusts.join(", ")}`, measured, "for loopback")
  }
}

await rates()
million()
await underFlood()
amplification()
note("\n")
report({
  file: "responder.md",
  title: "The responder under attack",
  about: `Rates are datagrams sent per second of CPU time of the server's process, as a ratio to a loop on \`node:dgram\` that sends back what it gets; medians of ${rounds} interleaved rounds, ${REPLIES} datagrams each, both sides asked by the same sockets with the next request upon each reply. Forged senders are addresses of 127.0.0.0/8 that never bring a challenge back. Made by \`pnpm bench:responder --write\`.`,
  table: [["what", "", "measured", "wanted"], ...rows],
  notes: [
    "Amplification is UDP payload out for UDP payload in. A profile that trusts strangers stands for an old game that does, and is emulated on loopback; any profile with `trusts` left out stays at 1.00 or below, which a test holds for all of them.",
    "A proved address gets what it asks for, bounded by the rate limit of its address (100 answers a second unless told otherwise on public addresses).",
    "Replies that the system does not take at once wait in a queue of at most 4096 datagrams, beyond which they are dropped; they never wait for an address."
  ],
  failures,
  write
})
