/**
 * Rules about several fields of a message. A rule is a function, because the declaration of a single field cannot refer to other fields.
 * Both the interpreter and the generated decoders call the functions of this module.
 */
import type { Fields, Rule } from "../declarations/Declaration.ts"
import { DECIMAL } from "./decimal.ts"

/** Sets `appId` to the low 24 bits of the game id (document 003), because the 16-bit field is too small for current app ids. */
export const resolveAppId = (message: Fields): void => {
  const sent = message["appId"] as number
  const appId = extractAppId(message["gameId"] as string)
  // If the low 24 bits of the game id are 0, only the 16-bit field contains the app id.
  if (appId === 0 || appId === sent) return
  message["appId"] = appId
  if ((appId & 0xffff) !== sent) message["appId16"] = sent
}

/** A double exactly represents every whole number that has at most this many decimal digits. */
const EXACT_DIGITS = 15

/** Returns the app id: the low 24 bits of the game id. The parameter is the 64-bit game id as a decimal text. */
export const extractAppId = (gameId: string): number =>
  gameId.length <= EXACT_DIGITS ? Number(gameId) % 0x100_0000 : Number(BigInt(gameId) & 0xff_ffffn)

/** See {@link resolveAppId}. */
export const appIdOfGameId: Rule = {
  about: "gameId",
  decoded: resolveAppId,
  encoding: (message) => {
    const { appId, appId16, gameId } = message
    if (typeof gameId !== "string" || !DECIMAL.test(gameId) || typeof appId !== "number") return message
    const whole = extractAppId(gameId)
    if (whole !== 0 && whole !== appId) {
      return { field: "appId", contradiction: `is ${appId}, but the low 24 bits of gameId are ${whole}` }
    }
    return { ...message, appId: appId16 ?? appId & 0xffff }
  },
  widens: { appId: 0xff_ffff },
  adds: [
    {
      kind: "u16",
      name: "appId16",
      doc: "The 16-bit app id as sent, if it differs from the low 16 bits of `appId`. Many servers send 0."
    }
  ]
}
