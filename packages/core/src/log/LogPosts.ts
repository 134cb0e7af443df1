/**
 * Posts of log lines as CS2 sends them to `logaddress_add_http`: which of their bytes are new, by the offsets that they bring. A server
 * repeats a post until it is answered with 2xx, so a lost answer brings the same bytes again. Pure; `HttpLogs` receives them.
 */
import type { HttpRequest } from "./HttpRequests.ts"

/** What a post says about its server. Only `token` cannot be chosen by anybody who knows the address of the receiver. */
export interface LogOrigin {
  /** `X-Server-Unique-Token`: the same after a restart; a checksum of the server's `logaddress_token_secret`. */
  readonly token?: string
  /** `X-Server-Instance-Token`: a new one after each start. */
  readonly instance?: string
  /** `X-Server-Addr`: the address that the server has for itself. */
  readonly address?: string
  readonly steamId?: string
  readonly map?: string
  /** `X-Game-State`. */
  readonly state?: string
}

/** Servers whose offsets are remembered; the one that was heard of longest ago goes first. */
const MAX_SERVERS = 1024

/** Longer values are none of a server's. */
const MAX_VALUE_CHARS = 256

const HEADERS: Readonly<Record<keyof LogOrigin, string>> = {
  token: "x-server-unique-token",
  instance: "x-server-instance-token",
  address: "x-server-addr",
  steamId: "x-steamid",
  map: "x-game-map",
  state: "x-game-state"
}

/** What the headers of a post say. */
export const originOf = ({ headers }: Pick<HttpRequest, "headers">): LogOrigin =>
  Object.fromEntries(
    Object.entries(HEADERS).flatMap(([key, name]) => {
      const value = headers.get(name) ?? ""
      return value === "" || value.length > MAX_VALUE_CHARS ? [] : [[key, value]]
    })
  )

/** The new part of a post. */
export interface NewLines {
  /** Each with the number of bytes up to its end, from the beginning of the post. */
  readonly lines: ReadonlyArray<{ readonly bytes: Uint8Array; readonly end: number }>
  /** Bytes between the previous post and this one that never came. */
  readonly missedBytes: number
  /** Whether all of it has come before. */
  readonly isDuplicate: boolean
  /** Whether an answer other than 2xx leads to no line twice. */
  readonly canRepeat: boolean
  /** Notes that the post is accepted up to there. */
  readonly accept: (end: number) => void
}

const offsetOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const linesIn = (body: Uint8Array, from: number): NewLines["lines"] => {
  const lines: Array<{ bytes: Uint8Array; end: number }> = []
  for (let start = from; start < body.length;) {
    const newline = body.indexOf(10, start)
    const end = newline === -1 ? body.length : newline + 1
    const bytes = body.subarray(start, end)
    if (bytes.some((byte) => byte !== 10 && byte !== 13)) lines.push({ bytes, end })
    start = end
  }
  return lines
}

/** What has come of each server. */
export class LogPosts {
  /** Where the next post of each begins, by instance; the longest silent first. */
  private readonly next = new Map<string, number>()

  /** What is new in a post from this host. */
  read(host: string, origin: LogOrigin, { body, headers }: Pick<HttpRequest, "body" | "headers">): NewLines {
    const begin = offsetOf(headers.get("x-logbytes-beginoffset"))
    const end = offsetOf(headers.get("x-logbytes-endoffset"))
    if (begin === undefined || end === undefined || end < begin) {
      return { lines: linesIn(body, 0), missedBytes: 0, isDuplicate: false, canRepeat: false, accept: () => {} }
    }
    const key = JSON.stringify([host, origin.token, origin.instance, origin.address])
    const next = this.next.get(key) ?? begin
    const fits = end - begin === body.length
    const isDuplicate = end <= next && end > begin
    // Only where the offsets count the bytes of the body do they say where the new ones begin.
    const from = isDuplicate ? body.length : fits && begin < next ? next - begin : 0
    return {
      lines: linesIn(body, from),
      missedBytes: Math.max(0, begin - next),
      isDuplicate,
      canRepeat: fits,
      accept: (upTo) => this.set(key, Math.max(next, upTo >= body.length ? end : begin + upTo))
    }
  }

  private set(key: string, next: number): void {
    this.next.delete(key)
    this.next.set(key, next)
    if (this.next.size > MAX_SERVERS) this.next.delete(this.next.keys().next().value!)
  }
}
