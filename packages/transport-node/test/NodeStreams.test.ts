/** If a TCP connection attempt is cancelled, its socket must be destroyed, so that the system does not continue the attempt. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as net from "node:net"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { rcon } from "../src/index.ts"

/** A program that listens in a separate thread and then blocks the thread, so that no connection is ever accepted. */
const LISTENER = `
const { parentPort, workerData } = require("node:worker_threads")
const server = require("node:net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(workerData, 0, 0))
})`

/**
 * Number of connections that fill the queue of the listener. With a backlog of 1, Linux queues two connections. The third connection is
 * opened in case the system queues one more connection.
 */
const FILLERS = 3

const countTcpSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap" || name === "TCPConnectWrap").length

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

// These tests run only on Linux, because other systems refuse connections if the queue is full.
describe.runIf(process.platform === "linux")("a connection attempt that is never accepted", { timeout: 20_000 }, () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const fillers: Array<net.Socket> = []
  let worker: Worker
  let port: number

  beforeAll(async () => {
    worker = new Worker(LISTENER, { eval: true, workerData: gate })
    const [listening] = (await once(worker, "message")) as [number]
    port = listening
    for (let i = 0; i < FILLERS; i++) fillers.push(net.connect(port, "127.0.0.1").on("error", () => {}))
    await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, "connect")))
  })

  afterAll(async () => {
    for (const socket of fillers) socket.destroy()
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
    await worker.terminate()
  })

  it("ends at the time limit, and its socket is destroyed", async () => {
    const before = countTcpSockets()
    const attempt = rcon(`127.0.0.1:${port}`, { password: "probe pw", engine: "source", timeoutMs: 100 })
    await expect(attempt).rejects.toMatchObject({ _tag: "Timeout", phase: "connect" })
    await until(() => countTcpSockets() === before)
  })

  it("ends when it is aborted, and its socket is destroyed", async () => {
    const before = countTcpSockets()
    const controller = new AbortController()
    const { signal } = controller
    const attempt = rcon(`127.0.0.1:${port}`, { password: "probe pw", engine: "source", signal })
    await until(() => countTcpSockets() > before)
    const reason = new Error("no longer wanted")
    controller.abort(reason)
    await expect(attempt).rejects.toBe(reason)
    await until(() => countTcpSockets() === before)
  })
})
