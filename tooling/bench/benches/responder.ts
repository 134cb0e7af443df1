/** The responder under attack: its rate beside a raw echo loop, its memory under forged addresses, and honest clients during a flood. */
import { profiles } from "@sourcewire/emulator"
import { RateLimiter, Responder } from "@sourcewire/server"
import { connect } from "@sourcewire/transport-node"
import { fork } from "node:child_process"
import { once } from "node:events"
import { bench, median, note, verdict } from "../Bench.ts"
import { flood, INFO, type Question, saturate } from "../responder/load.ts"
import type { Usage } from "../responder/server.ts"

const REPLIES = 40_000
const QUESTIONS: Readonly<Record<Question, string>> = {
  unchallenged: "INFO without a challenge; the reply is a challenge",
  info: "INFO with a challenge",
  players: "PLAYER with a challenge",
  rules: "RULES with a challenge, in two fragments"
}

type Row = readonly [what: string, measured: string | number, limit: string]

const row = (what: string, measured: string | number, limit = "", holds = true): Row => [
  what,
  measured,
  verdict(limit, holds)
]

/** Starts the measured server. `usage` requests its usage. */
const startServer = async (kind: "echo" | "responder") => {
  const server = fork(new URL("../responder/server.ts", import.meta.url), [kind], { execArgv: ["--expose-gc"] })
  const told = async (): Promise<unknown> => (await once(server, "message"))[0]
  return {
    port: (await told()) as number,
    usage: () => {
      server.send("usage")
      return told() as Promise<Usage>
    },
    [Symbol.dispose]: () => server.disconnect()
  }
}

/** Replies per second of CPU time, compared with a loop that returns each datagram. */
const rates = async (rounds: number): Promise<ReadonlyArray<Row>> => {
  using echo = await startServer("echo")
  using ours = await startServer("responder")
  const perCpuSecond = async (server: typeof echo, question: Question): Promise<number> => {
    const before = await server.usage()
    await saturate(server.port, question, REPLIES)
    const after = await server.usage()
    return (after.replies - before.replies) / ((after.cpuMs - before.cpuMs) / 1000)
  }
  const questions = Object.keys(QUESTIONS) as Array<Question>
  const measured = new Map(questions.map((question): [Question, Array<number>] => [question, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const question of questions) {
      const base = await perCpuSecond(echo, "unchallenged")
      const ratio = (await perCpuSecond(ours, question)) / base
      // The first round warms up.
      if (round > 0) measured.get(question)!.push(ratio)
      note(".")
    }
  }
  return [...measured].map(([question, ratios]) => {
    const ratio = median(ratios)
    return row(QUESTIONS[question], ratio.toFixed(2), "at least 0.60", ratio >= 0.6)
  })
}

const MEGABYTE = 1024 * 1024
const usedBytes = (): number => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Passes datagrams from a million addresses directly to the responder. */
const million = (): Row => {
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
  const what = "memory after requests from a million spoofed addresses, minus memory before"
  return row(what, `${grown.toFixed(2)} MB`, "at most 1 MB", grown <= 1)
}

/** Floods the server over UDP while our client continues to query it. */
const underFlood = async (seconds: number): Promise<ReadonlyArray<Row>> => {
  using server = await startServer("responder")
  const address = `127.0.0.1:${server.port}`
  await using client = await connect()
  await client.info(address)
  const endsAt = performance.now() + seconds * 1000
  const isOver = (): boolean => performance.now() >= endsAt
  const before = await server.usage()
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
      const usage = await server.usage()
      used.push(usage.usedBytes)
      resident.push(usage.rssBytes)
    }
  }
  const [forged] = await Promise.all([flood(server.port, 40, isOver), honest(), honest(), watch()])
  const after = await server.usage()
  const half = used.length >> 1
  const growth = (median(used.slice(half)) - median(used.slice(0, half))) / MEGABYTE
  const factor = (after.bytesOut - before.bytesOut) / (after.bytesIn - before.bytesIn)
  const honestly = "queries of the other clients that got a reply (two clients, one query after the other)"
  const beside = "memory in the second half, minus the first half"
  return [
    row(`requests with spoofed sources in ${seconds} s, from ${forged.addresses} addresses`, forged.sent),
    row(honestly, `${answered} of ${asked}`, "at least 99 %", answered >= 0.99 * asked),
    row(beside, `${growth.toFixed(2)} MB`, "at most 2 MB", growth <= 2),
    row("resident memory: end, maximum", `${mb(resident.at(-1)!)}, ${mb(Math.max(...resident))} MB`),
    row("bytes sent per byte received, all clients", factor.toFixed(2))
  ]
}

const mb = (bytes: number): string => (bytes / MEGABYTE).toFixed(0)

export default bench({
  title: "The responder under attack",
  about:
    "The responder's speed and memory, also during a flood. Client and server are on loopback. Spoofed sources are addresses of 127.0.0.0/8 that never return a challenge. The other clients return the challenge, and get replies within the rate limit of an address (default on public addresses: 100 replies per second). Replies that the system does not accept at once wait in a queue of at most 4,096 datagrams; further ones are dropped.",
  options: { rounds: 5, seconds: 20 },
  nodeFlags: ["--expose-gc"],
  parts: ({ rounds, seconds }) => ({
    rates: {
      title: "Rates",
      about: `The datagrams that the server sends per second of its CPU time, as a ratio to a loop on \`node:dgram\` that returns each datagram. The figures are medians of ${rounds} interleaved rounds of ${REPLIES} datagrams. The client sends the next request after each reply.`,
      measure: async () => ({ table: [["request", "ratio to the loop", "limit"], ...(await rates(rounds))], notes: [] })
    },
    memory: {
      title: "Memory with spoofed sources",
      about: "The responder gets requests from a million addresses, without sockets.",
      measure: async () => ({ table: [["", "measured", "limit"], million()], notes: [] })
    },
    flood: {
      title: "A flood",
      about: `For ${seconds} seconds, requests with spoofed sources arrive while two other clients query.`,
      measure: async () => ({ table: [["", "measured", "limit"], ...(await underFlood(seconds))], notes: [] })
    }
  })
})
