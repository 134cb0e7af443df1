/**
 * Messages between the page and its worker. If the page uses its own network, it sends its requests to the worker instead of the bridge's
 * API. The worker sends reports about these requests. All requests share one channel. Therefore each request has a number, and each report
 * contains the number of its request.
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
