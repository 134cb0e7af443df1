import { describe, expect, it } from "vitest"
import { coloured, inColours, plain, uncoloured, fit } from "../../src/output/text.ts"

const strip = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "")

describe("a text with colour codes", () => {
  it("is divided into the plain text and a function that adds the colours to this text", () => {
    const { paint, text } = inColours("^1Red ^7and ^4blue", coloured)
    expect(text).toBe("Red and blue")
    expect(paint(text)).toBe("\u001b[31mRed \u001b[39mand \u001b[34mblue\u001b[39m")
    expect(paint("Red a…")).toBe("\u001b[31mRed \u001b[39ma…")
    expect(strip(paint("Red a…   "))).toBe("Red a…   ")
    expect(paint("Re…")).toBe("\u001b[31mRe…\u001b[39m")
  })

  it("has neither codes nor colours if the output supports no colours", () => {
    const { paint, text } = inColours("^1Red ^7and ^4blue", plain)
    expect(paint(text)).toBe("Red and blue")
    expect(uncoloured("\u0003Zoë\u0001: ^2hi")).toBe("Zoë: hi")
  })

  it("contains visible replacements for control characters and invisible characters", () => {
    const { paint, text } = inColours("^1a\u001b[2J^2\u{e0041}b^3שלום", coloured)
    expect(text).toBe("\u2068a␛[2J�bשלום\u2069")
    expect(strip(paint(text))).toBe(text)
    expect(paint(text)).toContain("\u001b[32m�b\u001b[39m")
    expect(strip(paint(fit(text, 8)))).toBe(fit(text, 8))
    expect(uncoloured("^1\u001b")).toBe("␛")
  })
})
