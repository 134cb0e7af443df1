import type { DatagramHandle, OpenOptions } from "@sourcewire/core/transport"
import { expect, it } from "vitest"
import { BatchedCalls, BatchedSocket } from "../../src/batched/batchedSocket.ts"
import type { Sent } from "./kernel.ts"
import { Kernel } from "./kernel.ts"

/**
 * Creates a batched socket over an emulated kernel. `byRuntime` lists the datagrams that the plain socket of the runtime sent, and
 * `sentBefore` contains the number of datagrams that the system calls had sent before each of them. `delivered` lists the datagrams that
 * the handler received.
 */
const setUp = ({ port = 40_000, ...options }: { port?: number } & Partial<OpenOptions> = {}) => {
  const kernel = new Kernel()
  const sentBefore: Array<number> = []
  const [byRuntime, delivered]: [Array<Sent>, Array<Sent>] = [[], []]
  const listeners: Array<() => void> = []
  const plain: DatagramHandle = {
    local: { address: "0.0.0.0", port },
    send: (bytes, address, to) => {
      byRuntime.push({ bytes: [...bytes], address, port: to })
      sentBefore.push(kernel.sent.length)
    }
  }
  const socket = new BatchedSocket(new BatchedCalls(kernel), {
    onDatagram: (bytes, address, from) => {
      delivered.push({ bytes: [...bytes], address, port: from })
      for (const listener of listeners) listener()
    },
    onFault: () => {}
  })
  const handle = socket.attach(plain, { family: 4, ...options })
  const send = (count: number) => {
    for (let i = 0; i < count; i++) handle.send(Uint8Array.of(i, 1), "127.0.0.1", 27_015 + i)
  }
  return { kernel, byRuntime, sentBefore, delivered, listeners, plain, socket, handle, send }
}

const datagrams = (count: number): Array<Sent> =>
  Array.from({ length: count }, (_, i) => ({ bytes: [i, 1], address: "127.0.0.1", port: 27_015 + i }))

it("a batched socket sends the datagrams of one turn of the event loop in one system call", async () => {
  const { byRuntime, kernel, send } = setUp()
  send(5)
  expect(kernel.sent).toEqual([])
  await Promise.resolve()
  expect(kernel.sent).toEqual(datagrams(5))
  expect(kernel.batches).toEqual([5])
  expect(byRuntime).toEqual([])
})

it("a batched socket sends full batches immediately, and the remaining datagrams at the end of the turn of the event loop", async () => {
  const { kernel, send } = setUp()
  send(150)
  expect(kernel.sent).toEqual(datagrams(128))
  await Promise.resolve()
  expect(kernel.sent).toEqual(datagrams(150))
  expect(kernel.batches).toEqual([64, 64, 22])
})

it("if the system rejects some datagrams, a batched socket sends these datagrams in their original order through the plain socket of the runtime", async () => {
  const { byRuntime, kernel, send } = setUp()
  kernel.takes.push(2, -1)
  send(5)
  await Promise.resolve()
  expect([kernel.sent, byRuntime]).toEqual([datagrams(5).slice(0, 2), datagrams(5).slice(2)])
  send(1)
  await Promise.resolve()
  expect(byRuntime).toEqual([...datagrams(5).slice(2), ...datagrams(1)])
})

it.each<readonly [string, Sent]>([
  ["large datagrams", { bytes: Array.from({ length: 129 }, () => 0), address: "127.0.0.1", port: 27_015 }],
  ["datagrams to IPv6 addresses", { bytes: [1], address: "::1", port: 27_015 }],
  ["datagrams to port 0", { bytes: [1], address: "127.0.0.1", port: 0 }]
])(
  "a batched socket sends %s through the plain socket of the runtime, but sends the waiting datagrams first",
  (_, { address, bytes, port }) => {
    const { byRuntime, handle, kernel, send, sentBefore } = setUp()
    send(3)
    handle.send(Uint8Array.from(bytes), address, port)
    expect(kernel.sent).toEqual(datagrams(3))
    expect(byRuntime).toEqual([{ bytes, address, port }])
    expect(sentBefore).toEqual([3])
  }
)

it("a batched socket sends waiting datagrams before it is closed, and never uses the file descriptor afterwards", async () => {
  const { byRuntime, delivered, kernel, send, socket } = setUp()
  send(3)
  socket.close()
  expect(kernel.sent).toEqual(datagrams(3))
  send(1)
  kernel.queue.push(...datagrams(2))
  socket.onDatagram(Uint8Array.of(9), "127.0.0.1", 1)
  await Promise.resolve()
  expect(kernel.sent.length).toBe(3)
  expect(byRuntime).toEqual(datagrams(1))
  expect(delivered.length).toBe(1)
})

it("when a datagram arrives, a batched socket also receives all other datagrams that are waiting", () => {
  const { delivered, kernel, socket } = setUp()
  const [first, ...others] = datagrams(200)
  kernel.queue.push(...others)
  socket.onDatagram(Uint8Array.from(first!.bytes), first!.address, first!.port)
  expect(delivered).toEqual([first, ...others])
})

it("a batched socket stops receiving after a limited number of datagrams, so that other work can run", () => {
  const { delivered, kernel, listeners, socket } = setUp()
  const [one] = datagrams(1)
  kernel.queue.push(...datagrams(200))
  listeners.push(() => kernel.queue.push(one!))
  socket.onDatagram(Uint8Array.of(1), "127.0.0.1", 1)
  expect(delivered.length).toBe(1 + 16 * 64)
})

it("a batched socket delivers no more datagrams after the handler has closed the socket", () => {
  const { delivered, kernel, listeners, socket } = setUp()
  kernel.queue.push(...datagrams(10))
  listeners.push(() => delivered.length === 4 && socket.close())
  socket.onDatagram(Uint8Array.of(1), "127.0.0.1", 1)
  expect(delivered.length).toBe(4)
})

it("a batched socket reports the sizes of its buffers and the number of dropped datagrams", () => {
  expect(setUp().handle).toMatchObject({ receiveBufferBytes: 2000, sendBufferBytes: 1000 })
  const { handle, kernel, socket } = setUp({ receiveBufferBytes: 5000, sendBufferBytes: 3000 })
  expect(handle).toMatchObject({ receiveBufferBytes: 10_000, sendBufferBytes: 6000 })
  expect(handle.countDropped!()).toBe(0)
  kernel.drops = 37
  expect(handle.countDropped!()).toBe(37)
  // The descriptor of a closed socket may belong to another file.
  socket.close()
  expect(handle.countDropped!()).toBe(0)
})

it("if the file descriptor of the socket is not found, the plain socket of the runtime is used", () => {
  const { handle, plain } = setUp({ port: 1 })
  expect(handle).toBe(plain)
})
