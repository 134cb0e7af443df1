import { describe, expect, it } from "vitest"
import { wrapSentence } from "../../src/output/sentences.ts"
import { displayWidth, fit, padEnd, padStart, safe, wrap } from "../../src/output/text.ts"

describe("the function `safe`", () => {
  it("replaces control characters with visible characters", () => {
    expect(safe("a\u001b[2Jb\u0000\n\t")).toBe("a␛[2Jb␀␊␉")
    expect(safe("\u007f\u009b31m\u202e\u2066\ud800")).toBe("␡�31m���")
  })

  it("does not change text without control characters", () => {
    for (const text of ["Zoë ★", "日本語", "Дядя Фёдор", "👩‍👩‍👧", "^1red", "e\u0301"]) expect(safe(text)).toBe(text)
  })
})

describe("the function `wrapSentence`", () => {
  it("wraps a sentence between words, and keeps leading blanks", () => {
    expect(wrapSentence("✗ a:1  ", "No answer within 3000 ms.", 16)).toEqual([
      "✗ a:1  No answer",
      "  within 3000",
      "  ms."
    ])
    expect(wrapSentence("", "127.0.0.1:27015 is long", 8)).toEqual(["127.0.0.1:27015", "  is", "  long"])
    expect(wrapSentence("", "    ping", 60)).toEqual(["    ping"])
    expect(wrapSentence("\u001b[31mno:\u001b[39m ", "日本 語", 9)).toEqual(["\u001b[31mno:\u001b[39m 日本", "  語"])
  })
})

describe("text in columns", () => {
  it("`displayWidth` counts columns, not characters", () => {
    expect(["abc", "日本", "👩‍👩‍👧", "e\u0301"].map(displayWidth)).toEqual([3, 4, 2, 1])
  })

  it("`fit` does not split a character when a text is truncated", () => {
    expect(fit("日本語", 6)).toBe("日本語")
    expect(fit("日本語", 5)).toBe("日本…")
    expect(fit("日本語", 4)).toBe("日…")
    expect(fit("a👩‍👩‍👧b", 3)).toBe("a…")
  })

  it("`fit` closes the direction isolate of a truncated right-to-left text", () => {
    const whole = safe("שלום עולם ארוך")
    expect(whole).toBe("\u2068שלום עולם ארוך\u2069")
    expect(fit(whole, 6)).toBe("\u2068שלום …\u2069")
    expect(displayWidth(fit(whole, 6))).toBe(6)
  })

  it("`padEnd` and `padStart` add blanks until a text has the given number of columns", () => {
    expect(padEnd("日", 4)).toBe("日  ")
    expect(padStart("日", 4)).toBe("  日")
    expect(padEnd("abc", 2)).toBe("abc")
  })

  it("`wrap` breaks lines at blanks, and breaks words that are longer than a line", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"])
    expect(wrap("abcdefghij kl", 4)).toEqual(["abcd", "efgh", "ij", "kl"])
    expect(wrap("日本語日本語", 5)).toEqual(["日本", "語日", "本語"])
    expect(wrap("", 5)).toEqual([""])
  })
})
