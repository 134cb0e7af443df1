/**
 * The replies of real servers, grouped by server, from the captures of `packages/protocol/test/captures.ts`. We must not publish the
 * captures. If the file of the captures does not exist, the list {@link recorded} is empty, and the tests of recorded servers are skipped.
 */
import {
  type GoldSourceInfoReply,
  type InfoReply,
  type Message,
  type PlayersReply,
  type RulesReply,
  decode
} from "@sourcewire/protocol"
import { join } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The replies of a server. `id` is the common beginning of the ids of the server's captures. */
export interface Recorded {
  readonly id: string
  /** The name of the server's game in the collection of captures. For some servers, the collection names a wrong game. */
  readonly label: string
  readonly info?: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply
  readonly rules?: RulesReply
  /** The values that a decoder must read from {@link rules}, according to the collection of captures. */
  readonly expectedRules?: { readonly bohemia?: Readonly<Record<string, unknown>> }
}

interface Row {
  readonly id: string
  readonly game: string
  readonly query: string
  readonly tags: ReadonlyArray<string>
  readonly packets: ReadonlyArray<string>
  readonly strippedBytes?: string
  readonly expected: Required<Recorded>["expectedRules"] | null
}

const file = fileURLToPath(new URL("../../../../shared/vectors/captures.jsonl", import.meta.url))

const decodeRow = ({ packets, strippedBytes = "", tags }: Row): Message => {
  const bytes = packets.map((hex) => Uint8Array.from(Buffer.from(strippedBytes + hex, "hex")))
  return Result.getOrThrow(
    bytes.length === 1 && !tags.includes("split")
      ? decode(bytes[0]!)
      : Result.flatMap(join(bytes), (joined) => decode(joined.bytes))
  )
}

const rows: ReadonlyArray<Row> = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line): Row => JSON.parse(line))
      .filter(({ query }) => ["info", "players", "rules"].includes(query))
  : []

const servers = new Map<string, Recorded>()
for (const row of rows) {
  const id = row.id.replace(/-(info|players|rules)$/, "")
  const message = decodeRow(row)
  const expected = row.query === "rules" ? { expectedRules: row.expected ?? {} } : {}
  servers.set(id, { id, label: row.game, ...servers.get(id), [row.query]: message, ...expected })
}

export const recorded: ReadonlyArray<Recorded> = [...servers.values()]
