/** The errors that a responder reports if a function of a profile does not return a reply. */
import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { type Profile, Responder } from "../../src/index.ts"

const INFO = Uint8Array.from([
  255,
  255,
  255,
  255,
  0x54,
  ..."Source Engine Query\0".split("").map((c) => c.charCodeAt(0))
])

const makeProfile = (info: () => unknown): Profile => ({
  name: "mine",
  description: "",
  oversize: { how: "split", maxBytes: 1260 },
  trusts: ["info"],
  info: info as never
})

const BROKEN: ReadonlyArray<readonly [title: string, info: () => unknown, message: RegExp]> = [
  [
    "throws",
    () => {
      throw new Error("no database")
    },
    /profile's info cannot be read: Error: no database/
  ],
  ["is async", async () => ({ _tag: "InfoReply" }), /profile's info is a promise/],
  ["is async and fails", () => Promise.reject(new Error("no database")), /profile's info is a promise/],
  ["returns an incomplete message", () => ({ _tag: "InfoReply", protocol: 17, name: "x" }), /InfoReply\.map/]
]

describe("if a function of the profile", () => {
  it.each(BROKEN)("%s, the error is reported to onError, and the query gets no reply", (_, info, message) => {
    const errors: Array<string> = []
    const responder = new Responder(makeProfile(info), { onError: (error) => errors.push(error.message) })
    assert.deepEqual(responder.respond(INFO, "192.0.2.7", 50_000, 0), [])
    assert.lengthOf(errors, 1)
    assert.match(errors[0]!, message)
  })

  it.each(BROKEN)(
    "%s and `onError` is not set, the error is written to the console once, and not again for each query",
    (_, info, message) => {
      const written = vi.spyOn(console, "error").mockImplementation(() => {})
      try {
        const responder = new Responder(makeProfile(info))
        for (let i = 0; i < 3; i++) responder.respond(INFO, "192.0.2.7", 50_000, i)
        assert.lengthOf(written.mock.calls, 1)
        assert.match(String(written.mock.calls[0]![0]), message)
      } finally {
        written.mockRestore()
      }
    }
  )
})
