/**
 * HTTP requests to URLs from the configuration. For each request, this module resolves the host name once, checks the address, and connects
 * to the checked address. It does not follow redirections. Therefore, if `allowLocal` is `false`, the owner of a domain name cannot direct
 * a request to the local network.
 */
import { canonicalAddress } from "@sourcewire/core/address"
import * as Effect from "effect/Effect"
import { lookup } from "node:dns/promises"
import { once } from "node:events"
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { createGunzip } from "node:zlib"
import { isGlobalUnicast } from "./globalUnicast.ts"

/** A request, and the maximum size of its reply. */
export interface Outbound {
  readonly url: string
  readonly method?: "GET" | "POST" | "PUT"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether the request may connect to addresses that are not global unicast: private networks, loopback, link-local. */
  readonly allowLocal: boolean
  /** Maximum size of the reply's body after decompression, in bytes. If this value is absent, the body is not read. */
  readonly maxBytes?: number
}

/** The outcome of a request. */
export interface Outcome {
  /** 0 if there was no reply. */
  readonly status: number
  /**
   * The status as text, or the reason why there was no reply. The text contains only the host of the URL, because the rest of the URL may
   * be a secret.
   */
  readonly message: string
  /** Whether the request may succeed if it is sent again later. */
  readonly isPassing: boolean
  /** The pause that the server requires before the next request, in milliseconds. If the server requires no pause, the value is 0. */
  readonly retryAfterMs: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const CONNECT_MS = 10_000
const BODY_MS = 60_000

const resolveHost = async (host: string): Promise<string> =>
  canonicalAddress(host.replace(/^\[(.*)\]$/, "$1")) ?? (await lookup(host)).address

class TooLarge extends Error {}

/** For each of these error codes of the system: the reason why there was no reply. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before the reply was complete",
  EPIPE: "the connection was closed before the reply was complete",
  ENOTFOUND: "the host name cannot be resolved",
  EAI_AGAIN: "no name server responded",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  ETIMEDOUT: "there was no reply in time"
}

const explainFailure = (cause: unknown): string => {
  if (cause instanceof TooLarge) return cause.message
  const { code = "", name } = cause as NodeJS.ErrnoException
  if (name === "TimeoutError" || name === "AbortError") return "there was no reply in time"
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) return `the TLS certificate or connection is not valid [${code}]`
  return REASONS[code] ?? `the request failed${code === "" ? "" : ` [${code}]`}`
}

const read = async (response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> => {
  const isPacked = response.headers["content-encoding"] === "gzip"
  const pieces: Array<Buffer> = []
  let bytes = 0
  const unpacked = isPacked ? response.pipe(createGunzip()) : response
  // `pipe` does not forward the errors of `response` to `unpacked`. Therefore this listener forwards them.
  response.on("error", (error) => unpacked.destroy(error))
  signal.addEventListener("abort", () => unpacked.destroy(new Error("no end")))
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxBytes) throw new TooLarge(`the reply has more than ${maxBytes} bytes`)
      pieces.push(piece)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(pieces).toString("utf8")
}

/** Converts the header `Retry-After`, which contains seconds or a date, to milliseconds. */
const parseRetryAfter = (after = ""): number => {
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/** Whether a status means a redirection. Status 304 is excluded, because it means that the resource has not changed. */
const isRedirection = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const toOutcome = ({ headers, statusCode: status = 0 }: IncomingMessage, body: string): Outcome => ({
  status,
  message: `status ${status}${isRedirection(status) ? ": redirections are not followed" : ""}`,
  isPassing: status === 408 || status === 429 || status >= 500,
  retryAfterMs: parseRetryAfter(headers["retry-after"]),
  headers,
  body
})

/** Creates the outcome of a request that could not be sent or received no reply. */
export const unreached = (message: string): Outcome => {
  return { status: 0, message, isPassing: true, retryAfterMs: 0, headers: {}, body: "" }
}

const send = async (url: URL, address: string, outbound: Outbound, signal: AbortSignal): Promise<Outcome> => {
  const { body, headers = {}, maxBytes, method = "GET" } = outbound
  const isTls = url.protocol === "https:"
  const sending = (isTls ? httpsRequest : httpRequest)({
    host: address,
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    method,
    signal,
    ...(isTls ? { servername: url.hostname } : {}),
    headers: {
      host: url.host,
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      ...(maxBytes === undefined ? {} : { "accept-encoding": "gzip" }),
      ...headers
    }
  })
  // If the request fails after the reply has begun, `sending` emits an error that would end the process without this listener. The listener
  // ignores all errors, because `once` and `read` report them: `once` before the reply begins, and `read` while the reply is read.
  sending.on("error", () => undefined).end(body)
  const [response] = (await once(sending, "response")) as [IncomingMessage]
  if (maxBytes !== undefined) return toOutcome(response, await read(response, maxBytes, signal))
  response.resume()
  return toOutcome(response, "")
}

/** Sends a request. The effect never fails. */
export const request = (outbound: Outbound): Effect.Effect<Outcome> =>
  Effect.promise(async (signal): Promise<Outcome> => {
    const url = new URL(outbound.url)
    try {
      const address = await resolveHost(url.hostname)
      if (!outbound.allowLocal && !isGlobalUnicast(address)) {
        return unreached(`${url.hostname} is an address of a local or reserved network. To allow it, set allowLocal`)
      }
      const timeout = AbortSignal.timeout(outbound.maxBytes === undefined ? CONNECT_MS : BODY_MS)
      return await send(url, address, outbound, AbortSignal.any([signal, timeout]))
    } catch (cause) {
      return unreached(`${url.hostname}: ${explainFailure(cause)}`)
    }
  })
