/** The errors of RCON commands and log-ins, with their messages. The state machines decide when each error occurs. */
import { LimitExceeded, Limits } from "@sourcewire/protocol/wire"

import { type TimeoutPhase, ConnectionClosed, PortClosed, Refused, SendFailed, Timeout } from "../engine/QueryError.ts"
import type { SocketFault } from "../engine/SocketFault.ts"
import type { TimeLimits } from "./deadline.ts"

const timeout = (message: string, phase: TimeoutPhase, received: number): Timeout =>
  new Timeout({ message, phase, sent: phase === "connect" ? 0 : 1, received })

/**
 * Returns a hint about closed TCP ports on loopback: Counter-Strike 2 serves RCON only on the machine's own address, and not on loopback.
 * Returns an empty text if `host` is not a loopback address.
 */
export const reasonOnLoopback = (host: string): string =>
  /^(?:127\.|(?:::1|localhost)$)/i.test(host)
    ? " Counter-Strike 2 refuses RCON on loopback and requires -usercon: use the machine's own address, such as 192.168.1.2."
    : ""

/** The error if the server responds, but the log-in is not complete within the total time limit. */
export const notLoggedIn = (totalMs: number): Timeout =>
  timeout(
    `The log-in was not complete within the total time limit of ${totalMs} ms, although the server responds.`,
    "connect",
    0
  )

/** The error if no new connection was opened within the time limit of the command. */
export const reconnectTimeout = (ms: number): Timeout =>
  timeout(`The server did not accept a new connection within ${ms} ms.`, "connect", 0)

/** The error if the server did not reply to the password. */
export const passwordTimeout = (ms: number): Timeout =>
  timeout(`The server accepted the connection, but did not reply to the password within ${ms} ms.`, "authentication", 0)

/** The error if the server did not reply to a command, or sent only `parts` parts of the reply. */
export const commandTimeout = (ms: number, parts: number): Timeout =>
  parts > 0
    ? timeout(`The server sent part of the reply, then nothing for ${ms} ms.`, "reply", parts)
    : timeout(`The server did not reply to the command within ${ms} ms.`, "request", 0)

const incompleteReply = (totalMs: number): string =>
  `The reply was not complete within the total time limit of ${totalMs} ms.`

/** The error if the reply was not complete within the total time limit. */
export const totalTimeout = (totalMs: number, parts: number): Timeout =>
  timeout(incompleteReply(totalMs), parts > 0 ? "reply" : "request", parts)

/** The error if the reply is longer than `MAX_RCON_REPLY_BYTES`. */
export const replyTooLong = (): LimitExceeded =>
  new LimitExceeded({
    message: `The reply is longer than ${Limits.MAX_RCON_REPLY_BYTES} bytes.`,
    limit: "MAX_RCON_REPLY_BYTES",
    max: Limits.MAX_RCON_REPLY_BYTES
  })

/** The error of the commands in flight if the connection was closed because the reply to another command exceeded a limit. */
export const closedByLimit = (): ConnectionClosed =>
  new ConnectionClosed({
    message:
      "The connection was closed, because the reply to another command exceeded a limit. The command may have been executed."
  })

/** The error of the commands in flight if the connection was lost. */
export const connectionLost = (reason: string): ConnectionClosed =>
  new ConnectionClosed({
    message: `The connection was lost before the reply was complete (${reason}). The command may have been executed.`
  })

/** The error of a command that was not sent, because the connection was lost and the option `reconnect` is `false`. */
export const notSent = (): ConnectionClosed =>
  new ConnectionClosed({
    message: "The command was not sent, because the connection was already lost. Open a new session."
  })

/** The error if the connection was closed after the password was sent, and before the server accepted or refused the password. */
export const closedDuringLogin = (reason: string): ConnectionClosed =>
  new ConnectionClosed({
    message: `The server closed the connection before it accepted or refused the password (${reason}).`
  })

/** The error if the server closed the connection without sending a byte. Servers do this if the client's address is banned. */
export const closedWithoutReply = (reason: string): Refused =>
  new Refused({
    message: `The server accepted the connection and closed it without a reply to the password (${reason}). Servers do so if they banned your address or have too many connections. To lift a ban, use removeip on the server, or wait until sv_rcon_banpenalty is over.`,
    text: ""
  })

/** Approximate maximum length of password and command together, in bytes. HLDS and ReHLDS ignore longer requests. */
const LONG_COMMAND_BYTES = 500

/** The error for a timeout over UDP, with the probable reason. */
export const udpTimeout = (
  phase: TimeoutPhase,
  command: {
    readonly isLogin: boolean
    /** Length of the password and the command together. */
    readonly bytes: number
    readonly limits: TimeLimits
    readonly sent: number
    readonly received: number
  }
): Timeout => {
  const { bytes, isLogin, limits, received, sent } = command
  const ms = Math.min(limits.timeoutMs, limits.totalTimeoutMs)
  const messages: Partial<Record<TimeoutPhase, string>> = {
    request: `No reply within ${ms} ms. The server may be down, at another address, or without RCON.`,
    split: "Part of the reply was lost: a fragment did not arrive.",
    reply: incompleteReply(limits.totalTimeoutMs)
  }
  const reason = isLogin
    ? "HLTV and Xash3D do not reply to a wrong password."
    : bytes > LONG_COMMAND_BYTES
      ? `HLDS does not reply if the password and the command have more than about ${LONG_COMMAND_BYTES} bytes.`
      : "The request or its reply may have been lost. The command is not retransmitted, because it may have been executed."
  return new Timeout({
    message: messages[phase] ?? `The server did not reply to the command within ${ms} ms. ${reason}`,
    phase: phase === "challenge" && isLogin ? "authentication" : phase,
    sent,
    received
  })
}

/** The error if the system reported that the server's port is closed, or that sending failed. */
export const udpFault = ({ kind, message }: Pick<SocketFault, "kind" | "message">): PortClosed | SendFailed =>
  kind === "refused"
    ? new PortClosed({
        message: "The UDP port is closed. Check that the server is running, and that this is its port."
      })
    : new SendFailed({ message })
