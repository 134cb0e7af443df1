/** The interface of a network, to which panes send requests. `bridge.ts` and `inPage.ts` implement this interface. */

export interface Network {
  readonly request: <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<A>
  /**
   * Sends a request, and returns a stream of events. If the caller leaves the loop over the events, or aborts the signal, the network also
   * stops sending events. If the network ends the stream early, the loop over the events throws an error.
   */
  readonly stream: <A>(path: string, body: unknown, signal: AbortSignal) => AsyncGenerator<A>
}

/** The error that is thrown if the network refuses a request, ends a stream early, or cannot be reached. */
export class NetworkError extends Error {}

/** The message of a thrown value. `undefined` if the user stopped the action. */
export const explain = (error: unknown): string | undefined => {
  if (error instanceof DOMException && error.name === "AbortError") return undefined
  return error instanceof Error ? error.message : String(error)
}
