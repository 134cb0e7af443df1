import { createSocket } from "node:dgram"
import { expect, it, vi } from "vitest"
import { dropCounter, readDrops } from "../src/linuxDrops.ts"

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  100: 00000000:6987 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 0
  101: 0200007F:A1B2 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0000000000000000 5
  102: 0100007F:A1B2 0100007F:6987 07 00000000:00000000 00:00000000 00000000     0        0 4713 2 0000000000000000 37
`

const TABLE6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  100: B80D0120000000000000000007000000:6987 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 3
  101: 00000000000000000000000001000000:6987 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0000000000000000 4
  102: 000080FE00000000000000000002FFAA:6987 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4713 2 0000000000000000 6
`

it("in Linux's table of sockets, the number of dropped datagrams is found with the local address and port of the socket", () => {
  expect(readDrops(TABLE, { address: "127.0.0.1", port: 0xa1b2 })).toBe(37)
  expect(readDrops(TABLE, { address: "127.0.0.2", port: 0xa1b2 })).toBe(5)
  // This address and port are the remote address in line 102. Therefore the counter of line 102 must not be used.
  expect(readDrops(TABLE, { address: "127.0.0.1", port: 0x6987 })).toBe(0)
  expect(readDrops(TABLE.trimEnd(), { address: "127.0.0.1", port: 0xa1b2 })).toBe(37)
  expect(readDrops(TABLE, { address: "127.0.0.1", port: 1 })).toBe(0)
})

it("in Linux's table of sockets, an IPv6 socket is found for every spelling of its local address", () => {
  const count = (address: string) => readDrops(TABLE6, { address, port: 0x6987 })
  const spellings = ["2001:db8::7", "::1", "fe80::aaff:200", "fe80::aaff:200%eth0", "fe80:0:0:0:0:0:aaff:200", "::2"]
  expect(spellings.map(count)).toEqual([3, 4, 6, 6, 6, 0])
})

it.runIf(process.platform === "linux").each(["127.0.0.1", "::1"])(
  "dropped datagrams are counted for a real socket on %s",
  async (host) => {
    const [type, family] = host === "::1" ? (["udp6", 6] as const) : (["udp4", 4] as const)
    const receiver = createSocket({ type, recvBufferSize: 4096 })
    const sender = createSocket(type)
    try {
      await new Promise<void>((resolve) => receiver.bind(0, host, resolve))
      const { address, port } = receiver.address()
      const count = dropCounter(family, { address, port })!
      expect(count()).toBe(0)
      const sent = Array.from(
        { length: 100 },
        () => new Promise<void>((resolve) => sender.send(new Uint8Array(1000), port, address, () => resolve()))
      )
      await Promise.all(sent)
      await vi.waitUntil(() => count() > 0, { timeout: 20_000 })
    } finally {
      receiver.close()
      sender.close()
    }
  }
)
