/** A network as the panes use it: requests, and streams of events. The bridge and the worker of the page both provide it. */

export interface Network {
  readonly request: <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<A>
  /** The stream ends on both sides if the caller leaves the loop or aborts the signal. If the network ends it early, the loop throws. */
  readonly stream: <A>(path: string, body: unknown, signal: AbortSignal) => AsyncGenerator<A>
}

/** The network refused a request, or cannot be reached. */
export class NetworkError extends Error {}

/** The message of a thrown value; `undefined` if the user stopped the action. */
export const explain = (error: unknown): string | undefined => {
  if (error instanceof DOMException && error.name === "AbortError") return undefined
  return error instanceof Error ? error.message : String(error)
}
