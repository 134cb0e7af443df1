import { describe, expect, it } from "vitest"
import type { Change } from "../src/store/Store.ts"
import { makeGroup } from "../src/config/Config.ts"
import { type Updates, UpdateFeed } from "../src/watch/UpdateFeed.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"

const target = (id: number) =>
  new Watched(id, `192.0.2.${id}:1`, { host: `192.0.2.${id}`, port: 1 }, makeGroup({}, "eu", {}), unknown())
const change = (id: number): Change => ({ id, at: 0, target: 1, field: "map", from: "a", to: "b" })

describe("updates", () => {
  it("are published once to each subscriber, and contain each target once", () => {
    const feed = new UpdateFeed()
    const [one, two]: [Array<Updates>, Array<Updates>] = [[], []]
    feed.subscribe((news) => one.push(news))
    feed.subscribe((news) => two.push(news))
    const first = target(1)
    feed.touch(first)
    feed.touch(first)
    feed.add(change(7))
    feed.publish()
    feed.publish()
    expect(one).toEqual([{ changes: [change(7)], updated: [first] }])
    expect(two).toEqual(one)
  })

  it.each(["changes", "updated targets"])("are published even if they contain only %s", (kind) => {
    const feed = new UpdateFeed()
    let count = 0
    feed.subscribe(() => void count++)
    if (kind === "changes") feed.add(change(1))
    else feed.touch(target(1))
    feed.publish()
    expect(count).toBe(1)
  })

  it("are not collected if there are no subscribers", () => {
    const feed = new UpdateFeed()
    feed.add(change(1))
    feed.touch(target(1))
    const news: Array<Updates> = []
    const unsubscribe = feed.subscribe((one) => news.push(one))
    feed.publish()
    expect(news).toEqual([])
    unsubscribe()
    feed.add(change(2))
    feed.subscribe((one) => news.push(one))
    feed.publish()
    expect(news).toEqual([])
  })

  it("do not include a target that another instance has started to query", () => {
    const feed = new UpdateFeed()
    const news: Array<Updates> = []
    feed.subscribe((one) => news.push(one))
    const [kept, lost] = [target(1), target(2)]
    feed.touch(kept)
    feed.touch(lost)
    feed.forget(lost)
    feed.publish()
    expect(news).toEqual([{ changes: [], updated: [kept] }])
  })
})
