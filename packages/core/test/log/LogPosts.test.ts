import { describe, expect, it } from "vitest"
import { type LogOrigin, LogPosts, readOrigin } from "../../src/log/LogPosts.ts"

const HOST = "192.0.2.7"

const offsets = (begin: number | string, end: number | string): ReadonlyMap<string, string> =>
  new Map([
    ["x-logbytes-beginoffset", String(begin)],
    ["x-logbytes-endoffset", String(end)]
  ])

const read = (posts: LogPosts, text: string, begin: number, origin: LogOrigin = {}, host = HOST) =>
  posts.read(host, origin, { body: Buffer.from(text), headers: offsets(begin, begin + Buffer.byteLength(text)) })

const texts = ({ lines }: ReturnType<LogPosts["read"]>) =>
  lines.map(({ bytes, end }) => [Buffer.from(bytes).toString(), end])

describe("the lines of a post", () => {
  it("are returned with the end offset of each line, even if the last line has no line break", () => {
    expect(texts(read(new LogPosts(), "one\ntwo\r\nlast", 0))).toEqual([
      ["one\n", 4],
      ["two\r\n", 9],
      ["last", 13]
    ])
  })

  it("do not include empty lines", () => {
    expect(texts(read(new LogPosts(), "\n\r\na\n\n", 0))).toEqual([["a\n", 5]])
  })
})

describe("a repeated post", () => {
  it("is a duplicate if all lines were accepted the first time", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 0).accept(4)
    expect(read(posts, "one\n", 0)).toMatchObject({ isDuplicate: true, canRepeat: true, missedBytes: 0, lines: [] })
  })

  it("is not a duplicate if no line was accepted the first time", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 0)
    expect(texts(read(posts, "one\n", 0))).toEqual([["one\n", 4]])
  })

  it("is reduced to the lines that were not accepted the first time", () => {
    const posts = new LogPosts()
    const body = "one\ntwo\nthree\n"
    read(posts, body, 100).accept(8)
    const rest = read(posts, body, 100)
    expect(rest.isDuplicate).toBe(false)
    expect(texts(rest)).toEqual([["three\n", 14]])
    rest.accept(14)
    expect(read(posts, body, 100).isDuplicate).toBe(true)
  })

  it("is a duplicate even if an empty post arrived between the first post and the repetition", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 0).accept(4)
    read(posts, "", 0).accept(0)
    expect(read(posts, "one\n", 0).isDuplicate).toBe(true)
  })
})

describe("a post", () => {
  it("if a post begins after the end of the previous post, the bytes between the two posts count as missing", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 10).accept(4)
    expect(read(posts, "five\n", 20)).toMatchObject({ missedBytes: 6, isDuplicate: false })
  })

  it("if a server has sent no earlier post, no bytes count as missing", () => {
    expect(read(new LogPosts(), "one\n", 5000).missedBytes).toBe(0)
  })

  it("is not a duplicate if the post is empty and begins at the end of the previous post", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 0).accept(4)
    expect(read(posts, "", 4)).toMatchObject({ isDuplicate: false, lines: [], missedBytes: 0 })
  })

  it.each([
    ["without offsets", new Map<string, string>()],
    ["without an end offset", new Map([["x-logbytes-beginoffset", "0"]])],
    ["with an end before the beginning", offsets(4, 0)],
    ["with a negative offset", offsets(-4, 0)],
    ["with text as offset", offsets("0", "4x")],
    ["with an offset of 16 digits", offsets(0, "1000000000000000")]
  ])("%s is never a duplicate: if the post is repeated, all its lines are returned again", (_, headers) => {
    const posts = new LogPosts()
    for (let time = 0; time < 2; time++) {
      const post = posts.read(HOST, {}, { body: Buffer.from("one\n"), headers })
      expect(post).toMatchObject({ isDuplicate: false, canRepeat: false, missedBytes: 0 })
      expect(texts(post)).toEqual([["one\n", 4]])
      post.accept(4)
    }
  })

  it("if the offsets do not match the size of a post, all its lines are returned, and `canRepeat` is false", () => {
    const posts = new LogPosts()
    const origin = { instance: "a" }
    read(posts, "one\n", 0, origin).accept(4)
    const post = posts.read(HOST, origin, { body: Buffer.from("two\nthree\n"), headers: offsets(0, 9) })
    expect(post).toMatchObject({ isDuplicate: false, canRepeat: false })
    expect(texts(post)).toEqual([
      ["two\n", 4],
      ["three\n", 10]
    ])
    post.accept(10)
    expect(read(posts, "12345", 4, origin).isDuplicate).toBe(true)
  })
})

describe("the stored log position of a server", () => {
  const origin = { token: "a", instance: "b", address: "192.0.2.7:27015" }

  it.each<readonly [what: string, origin: LogOrigin, host: string]>([
    ["another host", origin, "192.0.2.8"],
    ["another token", { ...origin, token: "x" }, HOST],
    ["another instance", { ...origin, instance: "x" }, HOST],
    ["another address", { ...origin, address: "192.0.2.7:27016" }, HOST]
  ])("is not used for a server with %s", (_, other, host) => {
    const posts = new LogPosts()
    read(posts, "one\n", 0, origin).accept(4)
    expect(read(posts, "one\n", 0, origin).isDuplicate).toBe(true)
    expect(read(posts, "one\n", 0, other, host).isDuplicate).toBe(false)
  })

  it("is used even if the map and the state of the game have changed", () => {
    const posts = new LogPosts()
    read(posts, "one\n", 0, { ...origin, map: "de_dust2", state: "live" }).accept(4)
    expect(read(posts, "one\n", 0, { ...origin, map: "de_nuke" }).isDuplicate).toBe(true)
  })

  it("is dropped if too many other servers have sent posts since the last post of this server", () => {
    const posts = new LogPosts()
    const send = (instance: string) => read(posts, "one\n", 0, { instance })
    send("first").accept(4)
    send("second").accept(4)
    for (let i = 0; i < 1022; i++) send(`other ${i}`).accept(4)
    // After this second post of the first server, the last post of the second server is the oldest of all last posts.
    read(posts, "two\n", 4, { instance: "first" }).accept(4)
    expect(send("second").isDuplicate).toBe(true)
    send("one more").accept(4)
    expect(send("second").isDuplicate).toBe(false)
    expect(send("first").isDuplicate).toBe(true)
  })
})

describe("the origin of a post", () => {
  it("is read from the headers", () => {
    const headers = new Map([
      ["x-server-unique-token", "a"],
      ["x-server-instance-token", "b"],
      ["x-server-addr", "192.0.2.7:27015"],
      ["x-steamid", "[A:1:5:6]"],
      ["x-game-map", "de_dust2"],
      ["x-game-state", "live"],
      ["host", "example.org"]
    ])
    expect(readOrigin({ headers })).toEqual({
      token: "a",
      instance: "b",
      address: "192.0.2.7:27015",
      steamId: "[A:1:5:6]",
      map: "de_dust2",
      state: "live"
    })
  })

  it("contains no empty values, and no values that are too long", () => {
    const headers = new Map([
      ["x-server-unique-token", ""],
      ["x-server-addr", "a".repeat(256)],
      ["x-game-map", "a".repeat(257)]
    ])
    expect(readOrigin({ headers })).toEqual({ address: "a".repeat(256) })
  })
})
