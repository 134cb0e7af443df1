/** Speaks to the bridge that serves this page. Without its token there is none, and nothing is tried. */
import type { Ended, Status } from "../../bridge/Api.ts"
import { signal } from "@preact/signals"
import { token } from "../state/address.ts"

/** What the bridge can do; `undefined` until it has said so. */
export const status = signal<Status | undefined>(undefined)

/** Why the bridge cannot be used, for people. */
export const trouble = signal<string | undefined>(undefined)

/** The bridge refused, or cannot be reached. */
export class BridgeError extends Error {}

const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> => {
  const headers = { authorization: `Bearer ${token.value ?? ""}`, "content-type": "application/json" }
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null }
  const response = await fetch(`/api${path}`, sent).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new BridgeError("The bridge does not answer: it may have been stopped.")
  })
  if (response.ok) return response
  // Without JSON the status has to do.
  const { message } = (await response.json().catch(() => ({}))) as { readonly message?: string }
  throw new BridgeError(message ?? `The bridge answered ${response.status}.`)
}

export const request = async <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<A> =>
  (await call(method, path, body)).json() as Promise<A>

/** A request with a stream of answers. Leaving the loop, or the signal, ends it on the other side too; throws when the bridge ended it. */
export async function* stream<A>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<A> {
  const response = await call("POST", path, body, signal)
  if (response.body === null) return
  for await (const data of sseData(response.body)) {
    const event = JSON.parse(data) as A | Ended
    if (isEnded(event)) throw new BridgeError(event.message)
    yield event
  }
}

/** The data of each server-sent event, in order. Comments and other fields are left out; an event that breaks off is none. */
export async function* sseData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  let data: Array<string> = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield data.join("\n")
          data = []
        } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5))
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const isEnded = (event: unknown): event is Ended =>
  typeof event === "object" && event !== null && "_tag" in event && event._tag === "Ended"

/** Asks the bridge what it can do, once. */
export const greet = async (): Promise<void> => {
  if (token.value === undefined || status.value !== undefined) return
  try {
    status.value = await request<Status>("GET", "/status")
    trouble.value = undefined
  } catch (error) {
    trouble.value = explain(error)
  }
}

/** What to show of anything that was thrown; nothing when somebody just stopped it. */
export const explain = (error: unknown): string | undefined => {
  if (error instanceof DOMException && error.name === "AbortError") return undefined
  return error instanceof Error ? error.message : String(error)
}
