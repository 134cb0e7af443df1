/**
 * Detects which bytes of CS2's log posts (`logaddress_add_http`) are new. The headers of a post contain the offsets at which the post
 * begins and ends in the log. A server repeats a post until it receives a 2xx status. If the response with this status is lost, the same
 * bytes arrive again. This module does not use sockets. `HttpLogs` receives the posts.
 */
import type { HttpRequest } from "./HttpRequests.ts"

/**
 * Data about the server from the headers of a post. Only `token` depends on a secret of the server. Any client that knows the receiver's
 * address can send arbitrary values in the other headers.
 */
export interface LogOrigin {
  /** `X-Server-Unique-Token`: a checksum of the server's `logaddress_token_secret`. This token does not change when the server restarts. */
  readonly token?: string
  /** `X-Server-Instance-Token`: a token that changes each time that the server starts. */
  readonly instance?: string
  /** `X-Server-Addr`: the server's address, from its own configuration. */
  readonly address?: string
  readonly steamId?: string
  readonly map?: string
  /** `X-Game-State`. */
  readonly state?: string
}

/**
 * Maximum number of server instances whose offsets are stored. If there are more instances, the instance whose last post is oldest is
 * removed.
 */
const MAX_SERVERS = 1024

/** Maximum length of a value in {@link LogOrigin}, in characters. Longer values are ignored, because servers do not send such values. */
const MAX_VALUE_CHARS = 256

const HEADERS: Readonly<Record<keyof LogOrigin, string>> = {
  token: "x-server-unique-token",
  instance: "x-server-instance-token",
  address: "x-server-addr",
  steamId: "x-steamid",
  map: "x-game-map",
  state: "x-game-state"
}

/** Reads the data about the server from the headers of a post. */
export const readOrigin = ({ headers }: Pick<HttpRequest, "headers">): LogOrigin =>
  Object.fromEntries(
    Object.entries(HEADERS).flatMap(([key, name]) => {
      const value = headers.get(name) ?? ""
      return value === "" || value.length > MAX_VALUE_CHARS ? [] : [[key, value]]
    })
  )

/** The part of a post that was not received before. */
export interface NewLines {
  /** The lines that were not received before. `end` is the offset of the end of the line in the body, in bytes. */
  readonly lines: ReadonlyArray<{ readonly bytes: Uint8Array; readonly end: number }>
  /** Number of bytes of the log that are missing between the previous post and this post. */
  readonly missedBytes: number
  /** Whether all lines were received before. */
  readonly isDuplicate: boolean
  /**
   * Whether it is safe to accept only the first lines of the post and to let the server repeat the post later. This is safe only if the
   * offsets in the headers are correct. Otherwise some lines would be received twice.
   */
  readonly canRepeat: boolean
  /** Records that the body was accepted up to the offset `end`. */
  readonly accept: (end: number) => void
}

const parseOffset = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const splitLines = (body: Uint8Array, from: number): NewLines["lines"] => {
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

/**
 * Returns the first line of a post. This line identifies a repeated post, because CS2's lines begin with a time that includes milliseconds.
 */
const readFirstLine = (body: Uint8Array): string => {
  const newline = body.indexOf(10)
  return String.fromCharCode(...body.subarray(0, Math.min(newline === -1 ? body.length : newline, MAX_VALUE_CHARS)))
}

/** The last accepted post of a server instance. */
interface LastPost {
  /** The offset at which the next post should begin. */
  readonly next: number
  readonly begin: number
  readonly firstLine: string
}

/** Stores, for each instance of a server, the offset up to which the log of the instance was received. */
export class LogPosts {
  /** The last post of each instance of a server. The instance whose last post is oldest is first. */
  private readonly last = new Map<string, LastPost>()

  /** Determines which part of a post is new. `host` is the address of the sender. */
  read(host: string, origin: LogOrigin, { body, headers }: Pick<HttpRequest, "body" | "headers">): NewLines {
    const begin = parseOffset(headers.get("x-logbytes-beginoffset"))
    const end = parseOffset(headers.get("x-logbytes-endoffset"))
    if (begin === undefined || end === undefined || end < begin) {
      return { lines: splitLines(body, 0), missedBytes: 0, isDuplicate: false, canRepeat: false, accept: () => {} }
    }
    const key = JSON.stringify([host, origin.token, origin.instance, origin.address])
    const last = this.last.get(key)
    const firstLine = readFirstLine(body)
    // A restarted server begins a new log. A post without an instance token does not show whether the server was restarted. Such a post
    // counts as part of a new log if it begins before the end of the last post, and does not repeat the last post.
    const isNewLog =
      last === undefined ||
      (origin.instance === undefined &&
        body.length > 0 &&
        begin < last.next &&
        (begin !== last.begin || firstLine !== last.firstLine))
    const next = isNewLog ? begin : last.next
    const fits = end - begin === body.length
    const isDuplicate = end <= next && end > begin
    // If the difference of the two offsets in the headers is not the size of the body, the offsets do not show which bytes are new.
    const from = isDuplicate ? body.length : fits && begin < next ? next - begin : 0
    return {
      lines: splitLines(body, from),
      missedBytes: Math.max(0, begin - next),
      isDuplicate,
      canRepeat: fits,
      accept: (upTo) =>
        this.set(key, {
          next: Math.max(next, upTo >= body.length ? end : begin + upTo),
          // An empty post has no first line, so `begin` and `firstLine` of the previous post stay stored.
          ...(body.length === 0 && last !== undefined
            ? { begin: last.begin, firstLine: last.firstLine }
            : { begin, firstLine })
        })
    }
  }

  private set(key: string, post: LastPost): void {
    this.last.delete(key)
    this.last.set(key, post)
    if (this.last.size > MAX_SERVERS) this.last.delete(this.last.keys().next().value!)
  }
}
