/** Functions that start a bridge for tests, and functions that send requests to the bridge. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type PlaygroundOptions, type RunningPlayground, startPlayground } from "../../bridge/index.ts"

/** Starts a bridge on a free port. By default, the bridge serves a minimal page. */
export const startBridge = async (options: PlaygroundOptions = {}): Promise<RunningPlayground> => {
  const page = mkdtempSync(join(tmpdir(), "sourcewire-page-"))
  try {
    writeFileSync(join(page, "index.html"), "<!doctype html><title>page</title>")
    return await startPlayground({ page, ...options })
  } finally {
    // The files are no longer needed, because the bridge has read the page into memory.
    rmSync(page, { recursive: true })
  }
}

/** A complete response. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** A request with any headers. `fetch` would not permit some headers, such as `Host` and `Origin`. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request to a bridge and waits for the end of the response. */
export const send = ({ host, port }: { readonly host: string; readonly port: number }, sent: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const body = sent.body === undefined ? undefined : JSON.stringify(sent.body)
    const outgoing = request(
      {
        host,
        port,
        method: sent.method ?? (body === undefined ? "GET" : "POST"),
        path: sent.path,
        agent: false,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...sent.headers }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString()
          })
        )
      }
    )
    outgoing.on("error", reject)
    outgoing.end(body)
  })

/**
 * Sends any bytes, including invalid HTTP. Waits until the bridge has sent the heads of `responses` responses, or has closed the
 * connection. Returns the received text. The function does not wait for the end of a response, because a stream does not end.
 */
export const sendRaw = (
  { host, port }: { readonly host: string; readonly port: number },
  bytes: string,
  responses = 1
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host)
    let text = ""
    socket.setEncoding("latin1")
    socket.on("connect", () => socket.write(bytes, "latin1"))
    socket.on("data", (data: string) => {
      text += data
      if (parseStatuses(text).length >= responses) socket.destroy()
    })
    // The bridge may close the connection of a rejected request before it has read all bytes.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error)
    })
    socket.on("close", () => resolve(text))
  })

/** Returns the status of each HTTP response in a text. */
export const parseStatuses = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))

/** Sends a request with the token, as the page does. */
export const asPage = (bridge: RunningPlayground, sent: Sent): Promise<Reply> =>
  send(bridge, { ...sent, headers: { authorization: `Bearer ${bridge.token}`, ...sent.headers } })

/** Returns the data of each event in the body of a stream. */
export const parseEvents = ({ body }: Reply): ReadonlyArray<Record<string, unknown>> =>
  body
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice("data:".length)) as Record<string, unknown>)
