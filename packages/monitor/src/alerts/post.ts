/**
 * Posts JSON to a webhook. The address that was looked at is the one that is connected to, and redirections are not followed: nobody who
 * answers for a name can turn a webhook against this network.
 *
 * @module
 */
import { IpRanges } from "@sourcewire/core/machines"
import { canonicalAddress } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { lookup } from "node:dns/promises"
import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"

/** What a webhook answered, or why it did not. */
export type Posted =
  | { readonly _tag: "Answered"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly _tag: "Unreached"; readonly message: string }

const TIMEOUT_MS = 10_000

const addressOf = async (host: string): Promise<string> =>
  canonicalAddress(host.replace(/^\[(.*)\]$/, "$1")) ?? (await lookup(host)).address

const isLocal = (address: string): boolean =>
  address === "0.0.0.0" || address === "::" || IpRanges.LOCAL.some((range) => IpRanges.contains(range, address))

const send = (url: URL, address: string, body: string, signal: AbortSignal): Promise<Posted> =>
  new Promise((resolve, reject) => {
    const isTls = url.protocol === "https:"
    const posting = (isTls ? httpsRequest : httpRequest)(
      {
        host: address,
        port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        method: "POST",
        signal,
        ...(isTls ? { servername: url.hostname } : {}),
        headers: { host: url.host, "content-type": "application/json", "content-length": Buffer.byteLength(body) }
      },
      (response) => {
        const after = Number(response.headers["retry-after"])
        response.resume()
        resolve({
          _tag: "Answered",
          status: response.statusCode ?? 0,
          retryAfterMs: Number.isFinite(after) ? after * 1000 : undefined
        })
      }
    )
    posting.on("error", reject)
    posting.end(body)
  })

/** Posts; never fails. What it says holds no part of the URL but its host, since the rest is a secret. */
export const post = (url: string, body: string, allowLocal: boolean): Effect.Effect<Posted> =>
  Effect.promise(async (signal): Promise<Posted> => {
    const parsed = new URL(url)
    try {
      const address = await addressOf(parsed.hostname)
      if (!allowLocal && isLocal(address)) {
        return { _tag: "Unreached", message: `${parsed.hostname} is an address of a local network (see allowLocal)` }
      }
      return await send(parsed, address, body, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    } catch (cause) {
      return {
        _tag: "Unreached",
        message: `${parsed.hostname}: ${(cause as NodeJS.ErrnoException).code ?? "no answer"}`
      }
    }
  })
