// gamedig beside this package's summary, on the same servers of loopback: recorded ones that answer with what a real server sent, and
// emulated ones. Prints where the two differ and who is right, or writes that to docs/benchmarks/games.md. A difference without a reason
// fails, so that each was looked at once.
//
//   pnpm bench:games [--write]
import { startServer } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { gameOf, identify, summary } from "@sourcewire/games"
import { connect } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import { GameDig } from "gamedig"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { markdown } from "./report.ts"

const PATIENCE_MS = 500
const AT_A_TIME = 6
const captures = fileURLToPath(new URL("../../../shared/vectors/captures.jsonl", import.meta.url))
const page = fileURLToPath(new URL("../../docs/benchmarks/games.md", import.meta.url))

/** Why the two differ, and who is right: by game and field, or by field alone. */
const REASONS = {
  "dow.map": "ours: INFO has no map, the rules have",
  "dow.version": "ours: INFO says 1.0.0.0, the rules the version",
  "valheim.version": "ours: INFO says 1.0.0.0, the keywords the version",
  "projectzomboid.version": "ours: INFO says 1.0.0.0 or nothing, the rules the version",
  "quakelive.version": "both: ours is the longer one of the rules",
  "squad.players": "ours: INFO counts who waits too, the rules who plays",
  tags: "ours: without blanks around tags and empty ones, and divided as the game divides them",
  "dayz.mods": "ours: gamedig takes the keys of signatures for mods as well",
  name: "both: gamedig takes blanks from the ends, ours is what the server sent",
  bots: "ours: as many as INFO says; gamedig takes as many from the list of players, and the list is missing or short",
  failed: "ours: gamedig gives up"
}

/** A server that answers with recorded datagrams; what was not recorded meets silence. */
const replay = async (packets) => {
  const socket = createSocket("udp4")
  const challenge = Buffer.from("ffffffff4178563412", "hex")
  socket.on("message", (request, { address, port }) => {
    const send = (datagram) => socket.send(datagram, port, address)
    const kind = { 0x54: "info", 0x55: "players", 0x56: "rules" }[request[4]]
    if (packets[kind] === undefined) return
    if (kind !== "info" && (request.length < 9 || request.readInt32LE(5) === -1)) send(challenge)
    else for (const datagram of packets[kind]) send(datagram)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return { port: socket.address().port, close: () => socket.close() }
}

const recorded = () => {
  const servers = new Map()
  const lines = existsSync(captures) ? readFileSync(captures, "utf8").trim().split("\n") : []
  for (const { id, packets, query, strippedBytes = "" } of lines.map((line) => JSON.parse(line))) {
    if (!["info", "players", "rules"].includes(query)) continue
    const name = id.replace(/-(info|players|rules)$/, "")
    const bytes = packets.map((hex) => Buffer.from(strippedBytes + hex, "hex"))
    servers.set(name, { ...servers.get(name), [query]: bytes })
  }
  // Text replies of the nineties are no A2S.
  return [...servers].filter(([, { info }]) => info !== undefined && [0x49, 0x6d].includes(info[0][4]))
}

const theirs = async (id, port) => {
  // gamedig asks Epic's services for Squad; A2S is what older servers answer.
  const type = gameOf(id)?.instead === null ? id : "protocol-valve"
  const state = await GameDig.query({
    type,
    host: "127.0.0.1",
    port,
    givenPortOnly: true,
    requestRules: true,
    socketTimeout: PATIENCE_MS,
    attemptTimeout: 10 * PATIENCE_MS
  })
  return {
    name: state.name,
    map: state.map,
    players: state.numplayers,
    maxPlayers: state.maxplayers,
    bots: state.bots.length,
    password: state.password,
    version: state.version ?? null,
    tags: state.raw.tags ?? [],
    queue: state.raw.queue ?? null,
    mode: null,
    mods: Array.isArray(state.raw.dayzMods) ? state.raw.dayzMods.length : null
  }
}

const client = await connect({ timeoutMs: PATIENCE_MS })
const rows = []
/** What gamedig does not read at all, by field: how often there was something. */
const oursAlone = new Map()
const unexplained = []
let compared = 0

/** A value as the table shows it; what servers call themselves and their tags is nobody's business. */
const shown = (field, value) => {
  if (value === null || value === undefined) return "–"
  if (field === "name") return value === value.trim() ? "without blanks at the ends" : "with blanks at the ends"
  if (!Array.isArray(value)) return value === "" ? "(empty)" : String(value)
  const untidy = value.filter((tag) => tag !== tag.trim() || tag === "").length
  return `${value.length}${untidy === 0 ? "" : `, ${untidy} of them empty or with blanks`}`
}

const compare = async (what, port) => {
  const address = `127.0.0.1:${port}`
  // A profile without queries answers neither.
  const answer = await client.query(address).catch(() => undefined)
  if (answer === undefined) return
  const { mods, ...ours } = summary(address, answer)
  const id = identify(answer.info)?.id ?? "protocol-valve"
  compared++
  const add = (field, their, our) => {
    const why = REASONS[`${id}.${field}`] ?? REASONS[field]
    if (why === undefined)
      unexplained.push(`${what} (${id}), ${field}: gamedig ${shown(field, their)}, ours ${shown(field, our)}`)
    rows.push([what, id, field, shown(field, their), shown(field, our), why ?? "?"])
  }
  const their = await theirs(id, port).catch((error) => error)
  if (their instanceof Error) return add("failed", their.message, "an answer")
  for (const [field, value] of Object.entries(their)) {
    const our = field === "mods" ? (mods?.length ?? null) : ours[field]
    if (value === null && our !== null) oursAlone.set(field, (oursAlone.get(field) ?? 0) + 1)
    else if (JSON.stringify(value) !== JSON.stringify(our)) add(field, value, our)
  }
}

const waiting = recorded()
const worker = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, packets] = next
    const server = await replay(packets)
    await compare(name, server.port)
    server.close()
  }
}
await Promise.all(Array.from({ length: AT_A_TIME }, worker))
for (const profile of profileNames) {
  await using server = await startServer({ transport: layer, profile })
  await compare(`emulated ${profile}`, server.port)
}
await client.close()

rows.sort(([a, , field], [b, , other]) => a.localeCompare(b, "en") || field.localeCompare(other, "en"))
// One row tells how a game's tags differ.
const told = rows.filter(
  ([, id, field], i) => field !== "tags" || rows.findIndex((row) => row[1] === id && row[2] === field) === i
)
const counts = Object.entries(Object.groupBy(rows, ([, , field]) => field))
const text = `# gamedig beside \`summary\`

Written by \`pnpm bench:games --write\`: gamedig 5.3.3 (with its rules on) and \`summary\` of \`@sourcewire/games\` ask the same ${compared} servers on loopback. Most of them answer with what a real server was recorded to say, the others are the emulator's. Where nothing stands here, both say the same; the ports where they ask are the same by a test (packages/games/test/records.test.ts). Connect links are left out: gamedig's is the address that was asked.

${markdown([["field", "servers where they differ"], ...counts.map(([field, of = []]) => [field, of.length])])}

What gamedig does not read, and how many servers have it: ${[...oursAlone].map(([field, many]) => `${field} ${many}`).join(", ")}.

Of servers whose tags differ, there is one for each game.

${markdown([["server", "game", "field", "gamedig", "ours", "who is right"], ...told])}
`
if (process.argv.includes("--write")) writeFileSync(page, text)
else console.log(text)
for (const one of unexplained) console.error(one)
process.exitCode = unexplained.length > 0 ? 1 : 0
// gamedig keeps its socket open.
process.exit()
