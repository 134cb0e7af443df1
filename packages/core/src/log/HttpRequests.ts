/**
 * Parses the requests of an HTTP/1.1 connection. Only the features that log posts require are supported: one request after the other, and
 * bodies with a `Content-Length`. A request that uses another feature causes an error with an HTTP status. This module does not use
 * sockets. `HttpLogs` manages the connections.
 */

/** Maximum size of the head of a request (`MAX_HEAD_BYTES`) and of its body (`MAX_LOG_POST_BYTES`), in bytes. */
export const MAX_HEAD_BYTES = 16_384
export const MAX_LOG_POST_BYTES = 1_048_576

/** A complete request. */
export interface HttpRequest {
  readonly method: string
  /** The request target: the text after the method, as the client sent it. */
  readonly target: string
  /** Values of the headers, by name in lower case. If a header occurs several times, the map contains its last value. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

/** An event of a connection. After `Failed`, the receiver must respond with the HTTP status `status` and close the connection. */
export type HttpEvent =
  | { readonly _tag: "Request"; readonly request: HttpRequest }
  /** The client waits for `100 Continue` before it sends the body. */
  | { readonly _tag: "Continue" }
  | { readonly _tag: "Failed"; readonly status: number }

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  411: "Length Required",
  413: "Content Too Large",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable"
}

const latin1 = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** Formats a response without a body. */
export const formatResponse = (status: number, isLast: boolean): Uint8Array =>
  new TextEncoder().encode(
    `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\nContent-Length: 0\r\n${status === 503 ? "Retry-After: 1\r\n" : ""}${status === 405 ? "Allow: POST\r\n" : ""}${isLast ? "Connection: close\r\n" : ""}\r\n`
  )

export const CONTINUE: Uint8Array = /* @__PURE__ */ new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n")

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

interface Head extends Omit<HttpRequest, "body"> {
  readonly length: number
  readonly waits: boolean
}

/**
 * Parses the head of a request. `text` does not contain the line ends after the head. Returns the HTTP status for the response if the head
 * is invalid.
 */
const parseHead = (text: string): Head | number => {
  const [first = "", ...lines] = text.split("\r\n")
  const [, method = "", target = ""] = /^([A-Z]{1,16}) (\S{1,4096}) HTTP\/1\.[01]$/.exec(first) ?? []
  if (method === "") return 400
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    // A second `Content-Length` header is rejected, and so is a header that continues on the next line. Otherwise a proxy in front of this
    // server could interpret such a request in another way than this server.
    if (!TOKEN.test(name) || (name === "content-length" && headers.has(name))) return 400
    headers.set(name, line.slice(colon + 1).trim())
  }
  if (headers.has("transfer-encoding")) return 411
  const length = headers.get("content-length")
  if (length === undefined) return method === "POST" ? 411 : { method, target, headers, length: 0, waits: false }
  if (!/^\d{1,15}$/.test(length)) return 400
  if (Number(length) > MAX_LOG_POST_BYTES) return 413
  return { method, target, headers, length: Number(length), waits: headers.get("expect") !== undefined }
}

/** Assembles requests from the bytes of one connection. */
export class HttpRequests {
  private bytes = new Uint8Array(0)
  private head: Head | undefined
  private hasFailed = false

  /** Whether a part of a request has arrived, but not the complete request. */
  get isIncomplete(): boolean {
    return this.head !== undefined || this.bytes.length > 0
  }

  /** Adds received bytes. Returns the events that these bytes cause. */
  push(bytes: Uint8Array): ReadonlyArray<HttpEvent> {
    if (this.hasFailed) return []
    const joined = new Uint8Array(this.bytes.length + bytes.length)
    joined.set(this.bytes)
    joined.set(bytes, this.bytes.length)
    this.bytes = joined
    const events: Array<HttpEvent> = []
    while (this.step(events)) {
      // The loop ends, because each step removes some bytes from `this.bytes`.
    }
    return events
  }

  private step(events: Array<HttpEvent>): boolean {
    if (this.head === undefined) {
      const end = this.headEnd()
      if (end === -1 && this.bytes.length <= MAX_HEAD_BYTES) return false
      const head = end === -1 || end > MAX_HEAD_BYTES ? 431 : parseHead(latin1(this.bytes.subarray(0, end)))
      if (typeof head === "number") {
        this.hasFailed = true
        this.bytes = new Uint8Array(0)
        events.push({ _tag: "Failed", status: head })
        return false
      }
      this.head = head
      this.bytes = this.bytes.slice(end + 4)
      if (head.waits && this.bytes.length < head.length) events.push({ _tag: "Continue" })
    }
    const { length, waits: _, ...rest } = this.head
    if (this.bytes.length < length) return false
    events.push({ _tag: "Request", request: { ...rest, body: this.bytes.slice(0, length) } })
    this.bytes = this.bytes.slice(length)
    this.head = undefined
    return this.bytes.length > 0
  }

  private headEnd(): number {
    const bytes = this.bytes
    const most = Math.min(bytes.length - 3, MAX_HEAD_BYTES + 1)
    for (let i = 0; i < most; i++) {
      if (bytes[i] === 13 && bytes[i + 1] === 10 && bytes[i + 2] === 13 && bytes[i + 3] === 10) return i
    }
    return -1
  }
}
