import { expect, it } from "vitest"
import { connect } from "@sourcewire/transport-node"
import { asPage, startBridge } from "../bridge.ts"

// All requests must arrive before the first servers run. This is only possible while the start of servers is slow, and only the first
// servers of a process start slowly. Therefore this must be the first test of the file.
it("concurrent requests cannot exceed the limit of emulated servers", async () => {
  await using bridge = await startBridge()
  const body = { profile: "tf2", faults: [], count: 129 }
  const replies = await Promise.all(Array.from({ length: 8 }, () => asPage(bridge, { path: "/api/servers", body })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 400)])
  const running = await asPage(bridge, { path: "/api/servers" })
  expect(JSON.parse(running.body)).toHaveLength(129)
  // The servers of the rejected requests do not count towards the limit of 256 servers.
  const rest = await asPage(bridge, { path: "/api/servers", body: { ...body, count: 127 } })
  expect(JSON.parse(rest.body)).toHaveLength(256)
  expect((await asPage(bridge, { path: "/api/servers", body: { ...body, count: 1 } })).status).toBe(400)
  expect((await asPage(bridge, { method: "DELETE", path: "/api/servers" })).body).toBe("[]")
})

it("if the request that starts an emulated server contains replies, the server sends these replies to any client", async () => {
  await using bridge = await startBridge()
  const replies = [{ request: "rules", challenge: "ffffffff4157530000", datagrams: ["ffffffff4501006100620000"] }]
  const body = { profile: "css", faults: [], count: 1, replies }
  const started = await asPage(bridge, { path: "/api/servers", body })
  const [{ address, serves }] = JSON.parse(started.body) as [{ address: string; serves: ReadonlyArray<string> }]
  expect(serves).toEqual(["rules"])
  await using client = await connect()
  expect(await client.rules(address)).toMatchObject({ rules: [{ name: "a", value: "b" }] })
  const odd = [{ request: "rules", datagrams: ["abc"] }]
  expect((await asPage(bridge, { path: "/api/servers", body: { ...body, replies: odd } })).status).toBe(400)
})
