import { describe, expect, it } from "vitest"
import {
  type HttpEvent,
  HttpRequests,
  MAX_HEAD_BYTES,
  MAX_LOG_POST_BYTES,
  formatResponse
} from "../../src/log/HttpRequests.ts"

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1")

const post = (body: string, ...headers: ReadonlyArray<string>): string =>
  `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n${body}`

const summarize = (event: HttpEvent): unknown =>
  event._tag === "Request"
    ? [event.request.method, event.request.target, Buffer.from(event.request.body).toString("latin1")]
    : event._tag === "Failed"
      ? event.status
      : event._tag

const readEvents = (...segments: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const requests = new HttpRequests()
  return segments.flatMap((segment) => requests.push(bytes(segment)).map(summarize))
}

describe("HttpRequests", () => {
  it("reads the same requests from one large segment and from many small segments", () => {
    const stream = `${post("one\n", "X-Game-Map: de_dust2")}${post("")}GET / HTTP/1.1\r\n\r\n${post("three")}`
    const whole = [
      ["POST", "/x", "one\n"],
      ["POST", "/x", ""],
      ["GET", "/", ""],
      ["POST", "/x", "three"]
    ]
    expect(readEvents(stream)).toEqual(whole)
    for (const size of [1, 2, 3, 7, 64]) {
      expect(readEvents(...(stream.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []))).toEqual(whole)
    }
  })

  it("converts header names to lower case", () => {
    const [event] = new HttpRequests().push(bytes(post("", "X-Game-Map:  de_dust2 ")))
    expect(event?._tag === "Request" && event.request.headers.get("x-game-map")).toBe("de_dust2")
  })

  it.each([
    ["data that is not a request", "hello\r\n\r\n", 400],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\n", 400],
    ["two lengths", post("a", "Content-Length: 2"), 400],
    ["a length that is not a number", "POST / HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n", 400],
    ["a header over two lines", "POST / HTTP/1.1\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n", 400],
    ["a header name with a space", "POST / HTTP/1.1\r\nContent-Length : 0\r\n\r\n", 400],
    ["no length", "POST / HTTP/1.1\r\n\r\n", 411],
    ["chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411],
    ["a body that is too long", `POST / HTTP/1.1\r\nContent-Length: ${MAX_LOG_POST_BYTES + 1}\r\n\r\n`, 413],
    ["a head that is too long", `POST / HTTP/1.1\r\nA: ${"a".repeat(MAX_HEAD_BYTES)}\r\n\r\n`, 431],
    ["a head without an end", "a".repeat(MAX_HEAD_BYTES + 1), 431]
  ])("rejects %s", (_, text, status) => {
    expect(readEvents(text)).toEqual([status])
    // The bytes after an invalid request are not read, because the start of the next request is unknown.
    expect(readEvents(`${text}`, post("more"))).toEqual([status])
  })

  it.each([
    "",
    "get / HTTP/1.1",
    " GET / HTTP/1.1",
    "x GET / HTTP/1.1",
    "GET / HTTP/1.1 x",
    "GET / HTTP/1.10",
    "GET / HTTP/2.0",
    "GET  HTTP/1.1",
    "GET / / HTTP/1.1",
    `${"A".repeat(17)} / HTTP/1.1`,
    `GET /${"a".repeat(4096)} HTTP/1.1`
  ])("rejects the request line %j", (line) => {
    expect(readEvents(`${line}\r\nHost: a\r\n\r\n`)).toEqual([400])
  })

  it("accepts repeated headers, but not a repeated Content-Length", () => {
    expect(readEvents("GET / HTTP/1.0\r\nX-A: 1\r\nX-A: 2\r\n\r\n")).toEqual([["GET", "/", ""]])
    expect(readEvents("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na")).toEqual([400])
  })

  it("reports `Continue` if the client waits for the status 100 before it sends the body", () => {
    const [head, body] = [post("abc", "Expect: 100-continue").slice(0, -3), "abc"]
    expect(readEvents(head, body)).toEqual(["Continue", ["POST", "/x", "abc"]])
    expect(readEvents(head + body)).toEqual([["POST", "/x", "abc"]])
  })

  it("`formatResponse` returns a response without a body", () => {
    expect(Buffer.from(formatResponse(503, true)).toString()).toBe(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
    )
  })
})
