/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, so that it ends in an `InvalidOption`.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { InvalidOption } from "@sourcewire/protocol/machines"

/** What a server said, as a client's `query` or a scan gives it. */
export interface Said {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

/** Throws `InvalidOption` where `holds` says no, or cannot read what was given. */
export const demand = (option: string, must: string, holds: () => boolean): void => {
  let held = false
  try {
    held = holds()
  } catch {
    // A getter that throws is not what was asked for either.
  }
  if (!held) throw new InvalidOption({ message: `${option} must be ${must}.`, option })
}

const isText = (value: unknown): boolean => typeof value === "string"
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value)
const orNone =
  (holds: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || holds(value)

const listed = (reply: object | undefined, field: string): boolean =>
  reply === undefined || Array.isArray(Reflect.get(reply, field))

const looksLikeInfo = (info: InfoReply | GoldSourceInfoReply): boolean =>
  [info.name, info.map, info.folder, info.game].every(isText) &&
  isNumber(info.players) &&
  isNumber(info.maxPlayers) &&
  orNone(isNumber)(info.bots) &&
  (info._tag !== "InfoReply" ||
    (isText(info.version) && isNumber(info.appId) && orNone(isText)(info.keywords) && orNone(isNumber)(info.port)))

/** Demands an INFO of either dialect. */
export const demandInfo = (info: InfoReply | GoldSourceInfoReply): void =>
  demand("info", "the answer to INFO", () => looksLikeInfo(info))

/** Demands the answer to RULES. */
export const demandRules = (reply: RulesReply): void =>
  demand(
    "rules",
    "the answer to RULES",
    () =>
      listed(reply, "rules") &&
      reply.rules.every(
        ({ name, nameHex, value, valueHex }) =>
          isText(name) && isText(value) && [nameHex, valueHex].every(orNone(isText))
      )
  )

/** Demands what a client's `query` gives. */
export const demandSaid = (said: Said): void => {
  demand("answer", "an answer with info, and players and rules if any", () => {
    const { info, players, rules } = said
    return (
      looksLikeInfo(info) &&
      listed(players, "players") &&
      (players?.players ?? []).every(({ name }) => isText(name)) &&
      listed(rules, "rules")
    )
  })
  if (said.rules !== undefined) demandRules(said.rules)
}

/** Demands a text. */
export const demandText = (option: string, value: unknown): void => demand(option, "a text", () => isText(value))
