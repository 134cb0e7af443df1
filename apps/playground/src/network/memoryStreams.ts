/** TCP connections in memory, for the remote consoles of the emulated servers in the page. Segments arrive in order, with a short delay. */
import { PortClosed, SendFailed } from "@sourcewire/core"
import type { Endpoint, ListenOptions, StreamHandle, StreamHandler, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"

/** Delay of a segment in each direction, in milliseconds. */
const DELAY_MS = 1

type Accept = (stream: StreamHandle) => StreamHandler

/** One end of a connection. */
class End {
  handler: StreamHandler | undefined
  peer: End | undefined
  readonly handle: StreamHandle
  private isOpen = true
  private isPaused = false
  private readonly pending: Array<Uint8Array> = []
  private queued = 0

  constructor(local: Endpoint, remote: Endpoint) {
    this.handle = {
      local,
      remote,
      write: (bytes) => this.write(bytes),
      queuedBytes: () => this.queued,
      pause: () => void (this.isPaused = true),
      resume: () => {
        this.isPaused = false
        this.deliver()
      },
      end: () => this.close(),
      destroy: () => this.close()
    }
  }

  private write(bytes: Uint8Array): void {
    if (!this.isOpen) return
    this.queued += bytes.length
    setTimeout(() => {
      this.queued -= bytes.length
      this.peer?.pending.push(bytes)
      this.peer?.deliver()
    }, DELAY_MS)
  }

  private deliver(): void {
    while (this.isOpen && !this.isPaused) {
      const next = this.pending.shift()
      if (next === undefined) return
      this.handler?.onData(next)
    }
  }

  private close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    // The peer receives the last segments after this delay. If the peer were closed without the delay, it would lose these segments.
    setTimeout(() => this.peer?.closed(), DELAY_MS)
  }

  private closed(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.handler?.onClose()
  }
}

const formatEndpoint = ({ address, port }: Endpoint): string => `${address} ${port}`

/** Creates a TCP network in memory. */
export const makeMemoryStreams = (): Streams["Service"] => {
  const listeners = new Map<string, { readonly accept: Accept; readonly open: Set<StreamHandle> }>()
  let nextPort = 49_152
  return {
    connect: ({ host, port }, handler) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          const remote = { address: host, port }
          const listener = listeners.get(formatEndpoint(remote))
          if (listener === undefined) {
            return Effect.fail(new PortClosed({ message: `TCP port ${port} of ${host} is closed.` }))
          }
          const local = { address: "127.0.0.1", port: nextPort++ }
          const near = new End(local, remote)
          const far = new End(remote, local)
          near.peer = far
          far.peer = near
          near.handler = handler
          far.handler = listener.accept(far.handle)
          listener.open.add(far.handle)
          return Effect.succeed(near.handle)
        }),
        (handle) => Effect.sync(() => handle.destroy())
      ),
    listen: ({ bind }: ListenOptions, accept) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          if (listeners.has(formatEndpoint(bind))) {
            const message = `TCP port ${bind.port} of ${bind.address} is in use.`
            return Effect.fail(new SendFailed({ message, code: "EADDRINUSE" }))
          }
          const listener = { accept, open: new Set<StreamHandle>() }
          listeners.set(formatEndpoint(bind), listener)
          return Effect.succeed({ local: bind, listener })
        }),
        ({ listener }) =>
          Effect.sync(() => {
            listeners.delete(formatEndpoint(bind))
            for (const handle of listener.open) handle.destroy()
          })
      )
  }
}
