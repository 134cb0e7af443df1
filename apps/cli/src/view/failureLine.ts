/**
 * Failures for people: one line each, with a sentence that says what to try.
 *
 * @module
 */
import type { ClientError } from "@sourcewire/core"
import type { Palette } from "../output/palette.ts"
import { safe } from "../output/text.ts"

/** What a query to one address can end with; addresses and options are checked before. */
export type Failure = Exclude<ClientError, { readonly _tag: "InvalidAddress" | "InvalidOption" }>

const timeoutAdvice = (error: Extract<Failure, { readonly _tag: "Timeout" }>): string => {
  switch (error.phase) {
    case "request":
      return "Check the port (it may be the game's and not the query port) and the firewall, or give it longer with --timeout."
    case "challenge":
      return "It gave a challenge and then fell silent: a cache or filter in front of it may be too strict. Try again."
    case "split":
      return "Part of a split reply was lost each time. Try again, or raise --timeout and --retries."
    default:
      return "Try again, or give it longer with --timeout."
  }
}

/** A sentence that says what to try; empty where there is nothing to try. */
export const adviceOn = (error: Failure): string => {
  switch (error._tag) {
    case "Timeout":
      return timeoutAdvice(error)
    case "PortClosed":
      return "Check the port; the server may be down, or listen for queries on another one."
    case "Unresolved":
      return "Check the spelling, or give the numeric address."
    case "Refused":
      return /ban/i.test(error.text)
        ? "Its operator has to lift the ban (removeip), or it runs out by itself."
        : "It may limit how often one may ask; wait a little and try again."
    case "Malformed":
      return "It may not be a game server of this family; --trace shows its bytes."
    case "ChecksumMismatch":
      return "The reply was damaged on its way, or the server computes the checksum wrongly; --trace shows its bytes."
    case "LimitExceeded":
      return "No game server sends as much; it may not be one."
    case "TooManyChallenges":
      return "Something in front of it may answer in its place. Try again later."
    case "UnexpectedReply":
      return "It may not answer this kind of query; try `info` first, or --trace to see what it sends."
    case "SendFailed":
      return "Check this computer's network and the address family."
    case "AuthenticationFailed":
      return "Check the password."
    case "ConnectionClosed":
      return "Try again."
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The one line: address, what happened, what to try. */
export const failureLine = (address: string, error: Failure, palette: Palette): string =>
  `${palette.bad("✗")} ${palette.strong(address)}  ${sentence(safe(error.message.trim()))} ${palette.faint(adviceOn(error))}`.trimEnd()
