/** A network as the panes use it: requests, and streams of events. The bridge and the worker of the page both provide it. */

export interface Network {
  readonly request: <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<A>
  /** Leaving the loop, or the signal, ends the stream on the other side too. Throws if the other side ended it. */
  readonly stream: <A>(path: string, body: unknown, signal: AbortSignal) => AsyncGenerator<A>
}

/** The network refused a request, or cannot be reached. */
export class NetworkError extends Error {}

/** The text of anything that was thrown; `undefined` if the user stopped it. */
export const explain = (error: unknown): string | undefined => {
  if (error instanceof DOMException && error.name === "AbortError") return undefined
  return error instanceof Error ? error.message : String(error)
}
