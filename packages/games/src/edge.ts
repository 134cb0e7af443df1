/** Checks arguments, because JavaScript can pass values that TypeScript forbids. An invalid argument causes an `InvalidOption`. */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { demand, tryCondition, isText } from "@sourcewire/inside/values"

/** The replies of a server, as a client's `query` or a scan returns them. */
export interface GameReplies {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value)
const orAbsent =
  (holds: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || holds(value)

const listed = (reply: object | undefined, field: string): boolean =>
  reply === undefined || Array.isArray(Reflect.get(reply, field))

const looksLikeInfo = (info: InfoReply | GoldSourceInfoReply): boolean =>
  [info.name, info.map, info.folder, info.game].every(isText) &&
  isNumber(info.protocol) &&
  isNumber(info.players) &&
  isNumber(info.maxPlayers) &&
  orAbsent(isNumber)(info.bots) &&
  (info._tag !== "InfoReply" ||
    (isText(info.version) && isNumber(info.appId) && orAbsent(isText)(info.keywords) && orAbsent(isNumber)(info.port)))

/** Throws if the value is neither an `InfoReply` nor a `GoldSourceInfoReply`. */
export const demandInfo = (info: InfoReply | GoldSourceInfoReply): void =>
  void demand("info", "a reply to INFO", () => tryCondition(() => looksLikeInfo(info)), info)

const looksLikeRules = (reply: RulesReply): boolean =>
  listed(reply, "rules") &&
  reply.rules.every(
    ({ name, nameHex, value, valueHex }) => isText(name) && isText(value) && [nameHex, valueHex].every(orAbsent(isText))
  )

/** Throws if the value is not a reply to RULES. */
export const demandRules = (reply: RulesReply): void =>
  void demand("rules", "a reply to RULES", () => tryCondition(() => looksLikeRules(reply)), reply)

const looksLikePlayers = (reply: PlayersReply): boolean =>
  listed(reply, "players") && reply.players.every(({ name }) => isText(name))

/** Throws if the value is not a reply to PLAYER. */
export const demandPlayers = (reply: PlayersReply): void =>
  void demand("players", "a reply to PLAYER", () => tryCondition(() => looksLikePlayers(reply)), reply)

const looksLikeReplies = ({ info, players, rules }: GameReplies): boolean =>
  looksLikeInfo(info) &&
  (players === undefined || looksLikePlayers(players)) &&
  (rules === undefined || looksLikeRules(rules))

/** Throws if the value is not the result of a client's `query`. */
export const demandReplies = (replies: GameReplies): void =>
  void demand(
    "answer",
    "an object with info, and optionally players and rules",
    () => tryCondition(() => looksLikeReplies(replies)),
    replies
  )

/** Throws if the value is not a text. */
export const demandText = (option: string, value: unknown): void => void demand(option, "a text", isText, value)
