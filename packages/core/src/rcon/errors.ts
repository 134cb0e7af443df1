/** What RCON's commands and log-ins end with, as errors with their sentences. When each is due is in the machines. */
import { LimitExceeded, Limits } from "@sourcewire/protocol/wire"

import { type TimeoutPhase, ConnectionClosed, PortClosed, Refused, SendFailed, Timeout } from "../engine/QueryError.ts"
import type { SocketFault } from "../engine/SocketFault.ts"
import type { TimeLimits } from "./deadline.ts"

const timeout = (message: string, phase: TimeoutPhase, received: number): Timeout =>
  new Timeout({ message, phase, sent: phase === "connect" ? 0 : 1, received })

/** Something answers, but no log-in comes of it. */
export const notLoggedIn = (totalMs: number): Timeout =>
  timeout(`No login within the total time limit of ${totalMs} ms, although the server responds.`, "connect", 0)

/** A lost connection was not made anew in a command's time. */
export const notConnectedAnew = (ms: number): Timeout =>
  timeout(`The server did not accept a new connection within ${ms} ms.`, "connect", 0)

/** No verdict on the password. */
export const noVerdict = (ms: number): Timeout =>
  timeout(`The server accepted the connection, but did not reply to the password within ${ms} ms.`, "authentication", 0)

/** Silence after a command, or after so many parts of its reply. */
export const fellSilent = (ms: number, parts: number): Timeout =>
  parts > 0
    ? timeout(`The server sent part of the reply, then nothing for ${ms} ms.`, "reply", parts)
    : timeout(`The server did not reply to the command within ${ms} ms.`, "request", 0)

const notOver = (totalMs: number): string => `The reply was not complete within the total time limit of ${totalMs} ms.`

/** A reply that was not over when all its time was, whatever was still coming. */
export const tookTooLong = (totalMs: number, parts: number): Timeout =>
  timeout(notOver(totalMs), parts > 0 ? "reply" : "request", parts)

/** A reply without an end. */
export const tooLong = (): LimitExceeded =>
  new LimitExceeded({
    message: `The reply is longer than ${Limits.MAX_RCON_REPLY_BYTES} bytes.`,
    limit: "MAX_RCON_REPLY_BYTES",
    max: Limits.MAX_RCON_REPLY_BYTES
  })

/** For the other commands under way when a reply went beyond its limits. */
export const givenUp = (): ConnectionClosed =>
  new ConnectionClosed({
    message:
      "The connection was closed, because the server kept sending beyond all limits. The command may have been executed."
  })

/** The connection ended while commands were under way. */
export const connectionLost = (reason: string): ConnectionClosed =>
  new ConnectionClosed({
    message: `The connection was lost before the reply was complete (${reason}). The command may have been executed.`
  })

/** The connection ended between the password and its verdict. */
export const closedBeforeVerdict = (reason: string): ConnectionClosed =>
  new ConnectionClosed({
    message: `The server closed the connection before it accepted or refused the password (${reason}).`
  })

/** The connection ended without a single byte, which is all that a banned address gets. */
export const hungUp = (reason: string): Refused =>
  new Refused({
    message: `The server accepted the connection and closed it without a reply to the password (${reason}). Servers do so if the address is banned or they have too many connections. To lift a ban, use removeip on the server, or wait until sv_rcon_banpenalty is over.`,
    text: ""
  })

/** HLDS and ReHLDS drop datagrams with longer commands without a word. */
const LONG_COMMAND_BYTES = 500

/** Silence over UDP, and what may be the reason. */
export const silenceOverUdp = (
  phase: TimeoutPhase,
  command: {
    readonly isLogin: boolean
    /** Password and command. */
    readonly bytes: number
    readonly limits: TimeLimits
    readonly sent: number
    readonly received: number
  }
): Timeout => {
  const { bytes, isLogin, limits, received, sent } = command
  const ms = Math.min(limits.timeoutMs, limits.totalTimeoutMs)
  const told: Partial<Record<TimeoutPhase, string>> = {
    request: `No reply within ${ms} ms. The server may be down, at another address, or without RCON.`,
    split: "Part of the reply was lost: a fragment did not arrive.",
    reply: notOver(limits.totalTimeoutMs)
  }
  const why = isLogin
    ? "HLTV and Xash3D do not reply to a wrong password."
    : bytes > LONG_COMMAND_BYTES
      ? `HLDS does not reply if the password and the command have more than about ${LONG_COMMAND_BYTES} bytes.`
      : "The request or its reply may have been lost. It is not retransmitted, because the command may have been executed."
  return new Timeout({
    message: told[phase] ?? `The server did not reply to the command within ${ms} ms. ${why}`,
    phase: phase === "challenge" && isLogin ? "authentication" : phase,
    sent,
    received
  })
}

/** The system reports of the server's port that it is closed, or that sending failed. */
export const faultOverUdp = ({ kind, message }: Pick<SocketFault, "kind" | "message">): PortClosed | SendFailed =>
  kind === "refused"
    ? new PortClosed({
        message: "The UDP port is closed. Check that the server is running, and that this is its port."
      })
    : new SendFailed({ message })
