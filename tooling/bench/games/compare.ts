/** Queries the same servers with gamedig and with our client, and lists the fields in which their summaries differ. */
import { startServer } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { findGame, identify, type Summary, summary } from "@sourcewire/games"
import { connect } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import { GameDig, type State } from "gamedig"
import { type Measured, note, verdict } from "../Bench.ts"
import { recordings, replay } from "./recordedServers.ts"

const TIMEOUT_MS = 500
const AT_ONCE = 6

/**
 * Explanations of differences between the summaries: which summary is right, and why. The key is `GAME.FIELD`, or `FIELD` if the reason
 * applies to all games.
 */
const REASONS: Readonly<Record<string, string>> = {
  "dow.map": "ours: INFO has no map, but the rules have one",
  "dow.version": "ours: INFO has the placeholder 1.0.0.0, the rules have the version",
  "valheim.version": "ours: INFO has the placeholder 1.0.0.0, the keywords have the version",
  "projectzomboid.version": "ours: INFO has the placeholder 1.0.0.0 or nothing, the rules have the version",
  "quakelive.version": "both: Sourcewire shows the longer version, which is in the rules",
  "squad.players": "ours: INFO also counts players in the queue, but the rules do not",
  tags: "ours: no empty tags, no spaces around tags, and split like in the game",
  "dayz.mods": "ours: gamedig also counts keys of signatures as mods",
  name: "both: gamedig removes blanks from both ends, and Sourcewire keeps them",
  bots: "ours: the number in INFO; gamedig counts the list of players, which is missing or too short",
  failed: "ours: gamedig reports a failure"
}

type Fields = Readonly<Record<string, unknown>>

const queryWithGamedig = async (id: string, port: number): Promise<Fields> => {
  // For Squad, gamedig normally queries Epic's services. The benchmark selects gamedig's Valve protocol instead, because the recorded Squad
  // servers are older and reply to A2S.
  const type = findGame(id)?.instead === null ? id : "protocol-valve"
  const state: State = await GameDig.query({
    type,
    host: "127.0.0.1",
    port,
    givenPortOnly: true,
    requestRules: true,
    socketTimeout: TIMEOUT_MS,
    attemptTimeout: 10 * TIMEOUT_MS
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

const fieldsOfSummary = ({ mods, ...rest }: Summary): Fields => ({ ...rest, mods: mods?.length ?? null })

/** Converts a value to text for the table. Names and tags of real servers are not published, so the text only describes them. */
const shown = (field: string, value: unknown): string => {
  if (value === null || value === undefined) return "–"
  if (field === "name") return value === String(value).trim() ? "without blanks at the ends" : "with blanks at the ends"
  if (!Array.isArray(value)) return value === "" ? "(empty)" : String(value)
  const untidy = value.filter((tag: string) => tag !== tag.trim() || tag === "").length
  return `${value.length}${untidy === 0 ? "" : `, ${untidy} of them empty or with blanks`}`
}

interface Difference {
  readonly server: string
  readonly game: string
  readonly field: string
  readonly gamedig: string
  readonly ours: string
  /** `undefined` if `REASONS` does not explain the difference. */
  readonly reason: string | undefined
}

export const compareGames = async (): Promise<Measured> => {
  await using client = await connect({ timeoutMs: TIMEOUT_MS })
  const differences: Array<Difference> = []
  /** For each field, the number of servers for which only our client returns a value. */
  const onlyOurs = new Map<string, number>()
  let compared = 0

  const compare = async (server: string, port: number): Promise<void> => {
    const address = `127.0.0.1:${port}`
    // Some profiles of emulated servers do not support queries. These servers reply to neither client, and are not compared.
    const answer = await client.query(address).catch(() => undefined)
    if (answer === undefined) return
    compared++
    note(".")
    const ours = fieldsOfSummary(summary(address, answer))
    const game = identify(answer.info)?.id ?? "protocol-valve"
    const add = (field: string, gamedig: string, our: string): void => {
      const reason = REASONS[`${game}.${field}`] ?? REASONS[field]
      differences.push({ server, game, field, gamedig, ours: our, reason })
    }
    const theirs = await queryWithGamedig(game, port).catch((error: Error) => error)
    if (theirs instanceof Error) {
      add("failed", theirs.message, "a reply")
      return
    }
    for (const [field, value] of Object.entries(theirs)) {
      const our = ours[field]
      if (value === null && our !== null) onlyOurs.set(field, (onlyOurs.get(field) ?? 0) + 1)
      else if (JSON.stringify(value) !== JSON.stringify(our)) add(field, shown(field, value), shown(field, our))
    }
  }

  const waiting = [...recordings()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const server = await replay(next[1])
      await compare(next[0], server.port)
      server.close()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  for (const profile of profileNames) {
    await using server = await startServer({ transport: layer, profile })
    await compare(`emulated ${profile}`, server.port)
  }

  differences.sort((a, b) => a.server.localeCompare(b.server, "en") || a.field.localeCompare(b.field, "en"))
  const isRepeated = ({ field, game }: Difference, i: number): boolean =>
    field === "tags" && differences.findIndex((one) => one.game === game && one.field === field) !== i
  const counts = Map.groupBy(differences, ({ field }) => field)
  const unexplained = differences.filter(({ reason }) => reason === undefined)
  return {
    table: [
      ["server", "game", "field", "gamedig", "ours", "which is right"],
      ...differences
        .filter((one, i) => !isRepeated(one, i))
        .map(({ field, game, gamedig, ours, reason, server }) => [server, game, field, gamedig, ours, reason ?? "?"])
    ],
    notes: [
      `${compared} servers compared. Servers that differ, by field: ${[...counts].map(([field, list]) => `${field} ${list.length}`).join(", ")}.`,
      `Servers with a field that gamedig does not read: ${[...onlyOurs].map(([field, many]) => `${field} ${many}`).join(", ")}.`,
      verdict(`Differences without a known reason: ${unexplained.length}`, unexplained.length === 0)
    ]
  }
}
