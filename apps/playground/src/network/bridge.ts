/**
 * Sends requests to the bridge that serves this page. The bridge uses the real network. A page without the bridge's token cannot use the
 * bridge.
 */
import type { Ended } from "../../bridge/Api.ts"
import { token } from "../state/address.ts"
import { type Network, NetworkError } from "./Network.ts"

const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> => {
  const headers = { authorization: `Bearer ${token.value ?? ""}`, "content-type": "application/json" }
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null }
  const response = await fetch(`/api${path}`, sent).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new NetworkError("The bridge does not respond. It may have been stopped.")
  })
  if (response.ok) return response
  // If the response is not JSON, the error message contains only the status of the response.
  const { message } = (await response.json().catch(() => ({}))) as { readonly message?: string }
  throw new NetworkError(message ?? `The bridge responded with status ${response.status}.`)
}

async function* stream<A>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<A> {
  const response = await call("POST", path, body, signal)
  if (response.body === null) return
  for await (const data of sseData(response.body)) {
    const event = JSON.parse(data) as A | Ended
    if (isEnded(event)) throw new NetworkError(event.message)
    yield event
  }
}

export const bridge: Network = {
  request: async <A>(method: string, path: string, body?: unknown) =>
    (await call(method, path, body)).json() as Promise<A>,
  stream
}

/**
 * Reads server-sent events, and yields the data of each event. Comments, fields other than `data`, and an incomplete event at the end are
 * skipped.
 */
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
