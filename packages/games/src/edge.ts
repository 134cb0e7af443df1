/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, so that it ends in an `InvalidOption`.
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { demand, holdsOf, isText } from "@sourcewire/core/machines"

/** What a server said, as a client's `query` or a scan gives it. */
export interface Said {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

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
  void demand("info", "the answer to INFO", () => holdsOf(() => looksLikeInfo(info)), info)

const looksLikeRules = (reply: RulesReply): boolean =>
  listed(reply, "rules") &&
  reply.rules.every(
    ({ name, nameHex, value, valueHex }) => isText(name) && isText(value) && [nameHex, valueHex].every(orNone(isText))
  )

/** Demands the answer to RULES. */
export const demandRules = (reply: RulesReply): void =>
  void demand("rules", "the answer to RULES", () => holdsOf(() => looksLikeRules(reply)), reply)

const looksSaid = ({ info, players, rules }: Said): boolean =>
  looksLikeInfo(info) &&
  listed(players, "players") &&
  (players?.players ?? []).every(({ name }) => isText(name)) &&
  (rules === undefined || looksLikeRules(rules))

/** Demands what a client's `query` gives. */
export const demandSaid = (said: Said): void =>
  void demand("answer", "an answer with info, and players and rules if any", () => holdsOf(() => looksSaid(said)), said)

/** Demands a text. */
export const demandText = (option: string, value: unknown): void => void demand(option, "a text", isText, value)
