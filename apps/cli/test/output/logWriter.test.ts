import { expect, it } from "vitest"
import { logWriter } from "../../src/output/log.ts"

/** Returns an output that accepts only `room` more bytes, and a log writer for this output. */
const makePlace = () => {
  const place = { room: 0, text: "" }
  const writer = logWriter(
    (bytes) => {
      if (place.room === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" })
      const taken = bytes.subarray(0, place.room)
      place.room -= taken.length
      place.text += new TextDecoder().decode(taken)
      return taken.length
    },
    (lost) => `lost ${lost}\n`
  )
  return { place, writer }
}

it("the log writer loses no lines if the output has space", () => {
  const { place, writer } = makePlace()
  place.room = 100
  writer.write("one\n")
  writer.resume()
  writer.write("two\n")
  expect([place.text, writer.lost()]).toEqual(["one\ntwo\n", 0])
})

it("the log writer counts lost lines, and reports their number when the output has space again", () => {
  const { place, writer } = makePlace()
  writer.write("one\n")
  writer.write("two\n")
  place.room = 100
  writer.resume()
  writer.write("three\n")
  place.room = 0
  writer.write("four\n")
  place.room = 100
  writer.write("five\n")
  expect([place.text, writer.lost()]).toEqual(["lost 2\nthree\nlost 1\nfive\n", 3])
})

it("the log writer completes a line before it begins the next line", () => {
  const { place, writer } = makePlace()
  place.room = 6
  writer.write("one\n")
  writer.write("two\n")
  writer.write("three\n")
  expect(place.text).toBe("one\ntw")
  place.room = 1
  writer.write("four\n")
  expect(place.text).toBe("one\ntwo")
  place.room = 4
  writer.resume()
  expect(place.text).toBe("one\ntwo\nlos")
  place.room = 100
  writer.write("five\n")
  expect([place.text, writer.lost()]).toEqual(["one\ntwo\nlost 2\nfive\n", 2])
})
