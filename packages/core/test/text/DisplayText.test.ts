import { describe, expect, it } from "vitest"
import { csvCell, displayJson, displayText, isolated } from "../../src/text/DisplayText.ts"

describe("displayText", () => {
  it("replaces control characters with visible symbols", () => {
    expect(displayText("a\u001b[2Jb\u0000\n\t\u0007\u007f")).toBe("a␛[2Jb␀␊␉␇␡")
    expect(displayText("\u009b31m\u2028\ud800")).toBe("�31m��")
  })

  it.each([
    ["directional marks", "\u200e\u200f\u061c\u202a\u202e\u2066\u2069"],
    ["characters without width", "\u200b\u200c\u200d\u2060\ufeff\u034f\u00ad"],
    ["fillers", "\u115f\u1160\u3164\uffa0\u2800"],
    ["selectors and tags", "\ufe0f\u{e0100}\u{e0041}\u180e"]
  ])("replaces invisible characters with a visible mark: %s", (_, text) => {
    expect(displayText(text)).toBe("�".repeat([...text].length))
  })

  it.each(["Zoë ★", "日本語", "Дядя Фёдор", "👩‍👩‍👧", "❤️", "1️⃣", "👋🏽", "می‌خواهم", "क्‍ष", "e\u0301", "^1red", "\u0600"])(
    "does not change %s",
    (text) => expect(displayText(text)).toBe(text)
  )

  it("replaces a joiner or a variation selector that has no effect", () => {
    expect(displayText("a\u200db")).toBe("a�b")
    expect(displayText("👩\u200d")).toBe("👩�")
    expect(displayText("a\ufe0f")).toBe("a�")
  })
})

it("displayJson escapes invisible characters, and does not change the value of the JSON", () => {
  for (const text of ["\u001b\u007f\u009b", "\u202e\u200b\u2800\u{e0041}", "plain", "Zoë ★"]) {
    const json = displayJson(JSON.stringify({ text }))
    expect(JSON.parse(json)).toEqual({ text })
    expect(displayText(json)).toBe(json)
  }
})

describe("isolated", () => {
  it("encloses right-to-left text in isolating marks, and does not change isolated text or left-to-right text", () => {
    for (const text of ["שלום", "مرحبا de_dust2"]) {
      expect(isolated(text)).toBe(`\u2068${text}\u2069`)
      expect(isolated(isolated(text))).toBe(isolated(text))
    }
    for (const text of ["plain", "Zoë ★", "日本語"]) expect(isolated(text)).toBe(text)
  })

  it("adds the closing mark if it is missing because the text was truncated", () => {
    expect(isolated("\u2068של…")).toBe("\u2068של…\u2069")
    expect(isolated("\u2068a…")).toBe("\u2068a…\u2069")
  })
})

describe("csvCell", () => {
  it.each<readonly [value: unknown, cell: string]>([
    ["a server", "a server"],
    ["", ""],
    [undefined, ""],
    [null, "null"],
    [5, "5"],
    [-5, "-5"],
    [true, "true"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["a\nb", "a␊b"],
    ["5-3", "5-3"],
    ["a=b", "a=b"]
  ])("writes %j as %s", (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })

  it.each(["=1+1", "+1", "-1", "@SUM(A1)"])(
    "puts an apostrophe before %s, so that spreadsheets do not treat the text as a formula",
    (text) => {
      expect(csvCell(text)).toBe(`'${text}`)
      expect(csvCell(`${text},"x"`)).toBe(`"'${text},""x"""`)
    }
  )

  it("writes a placeholder for a value that JavaScript cannot convert to a string", () => {
    expect(csvCell(Object.create(null))).toBe("an object")
  })
})

describe("an argument that is not a string", () => {
  it("causes an error that names the argument", () => {
    expect(() => displayText(5 as never)).toThrow("text must be a text, not 5.")
    expect(() => displayJson(5 as never)).toThrow("json must be a text, not 5.")
    expect(() => isolated(5 as never)).toThrow("text must be a text, not 5.")
  })
})
