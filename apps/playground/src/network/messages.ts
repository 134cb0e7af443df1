/**
 * Messages between the page and its worker: requests as in the bridge's API, and reports about these requests. Each report contains the
 * number of its request, because all requests to the worker share one channel.
 */

export interface Order {
  readonly id: number
  readonly method: "GET" | "POST" | "DELETE" | "STOP"
  readonly path: string
  readonly body?: unknown
}

export type Report =
  | { readonly id: number; readonly event: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }
