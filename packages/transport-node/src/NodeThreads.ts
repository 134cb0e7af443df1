/**
 * Threads over `node:worker_threads`, which Node, Deno and Bun all provide.
 *
 * A thread is a file of JavaScript. The transports bring theirs (`ScanThread`), beside their other files. A program that is bundled
 * into one file leaves it behind, and gives a file of its own in its place: bundle `@sourcewire/transport-node/scan-thread` as well,
 * and name it.
 *
 * @example
 * import { scanWith } from "@sourcewire/core"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * import * as NodeThreads from "@sourcewire/transport-node/threads"
 * import * as Layer from "effect/Layer"
 * const entry = import.meta.resolve("@sourcewire/transport-node/scan-thread") // or what your bundler made of it
 * const scan = scanWith(Layer.merge(NodeDatagrams.layer, NodeThreads.layer(() => new URL(entry))))
 * for await (const result of scan(["127.0.0.1:27015"], "info", { threads: 2 })) console.log(result._tag)
 *
 * @module
 */
import type { Datagrams } from "@sourcewire/core"
import { serveScan, ThreadFailed, Threads } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isMainThread, parentPort, Worker } from "node:worker_threads"

const failed = (cause: unknown): ThreadFailed => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ThreadFailed({ message: `A thread could not be started: ${reason}`, cause })
}

/** Threads that begin with this file, which has to call {@link serve}. It is asked for when there is one to start. */
export const layer = (entry: () => URL): Layer.Layer<Threads> =>
  Layer.succeed(Threads, {
    start: (handler) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.try({
            try: () => {
              const worker = new Worker(entry())
              worker.on("message", handler.onMessage)
              worker.on("error", handler.onEnd)
              // An error comes before it; what comes alone is a thread that ended itself.
              worker.on("exit", (code) => handler.onEnd(new Error(`it ended with exit code ${code}`)))
              worker.unref()
              return worker
            },
            catch: failed
          }),
          (worker) => Effect.promise(() => worker.terminate())
        ),
        (worker) => ({ post: (message: unknown) => worker.postMessage(message) })
      )
  })

/** What the file of a thread calls: scans as it is told from the thread that started this one. */
export const serve = (datagrams: Layer.Layer<Datagrams>): void => {
  if (isMainThread || parentPort === null)
    throw new Error("This file is for a thread of a scan, not to be run by itself.")
  const port = parentPort
  const scan = serveScan({
    post: (message) => port.postMessage(message),
    listen: (onMessage) => port.on("message", onMessage)
  })
  Effect.runFork(Effect.provide(scan, datagrams))
}

/**
 * The file `ScanThread`, or another, beside a module (its `import.meta.url`), TypeScript in the sources and JavaScript in what is
 * published.
 *
 * @example
 * import * as NodeThreads from "@sourcewire/transport-node/threads"
 * console.log(NodeThreads.beside("file:///app/main.mjs").href) // file:///app/ScanThread.mjs
 * const threads = NodeThreads.layer(() => NodeThreads.beside(import.meta.url))
 */
export const beside = (module: string, name = "ScanThread"): URL =>
  new URL(`${name}${/\.\w+$/.exec(module)?.[0] ?? ".js"}`, module)
