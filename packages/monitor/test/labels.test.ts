import { describe, expect, it } from "vitest"
import { LABEL_NAME, RESERVED_LABELS, labelValue } from "../src/http/labels.ts"

describe("the name of a label", () => {
  it.each(["region", "_a", "Region2", "a".repeat(64)])("can be %s", (name) => {
    expect(LABEL_NAME.test(name)).toBe(true)
  })

  it.each(["", "1st", "a-b", "a b", "é", "a".repeat(65), "a\n"])("cannot be %j", (name) => {
    expect(LABEL_NAME.test(name)).toBe(false)
  })

  it("cannot be a name that the monitor or Prometheus uses", () => {
    for (const name of ["target", "location", "group", "name", "map", "game", "version"]) {
      expect(RESERVED_LABELS.has(name)).toBe(true)
    }
    for (const name of ["instance", "job", "le", "quantile"]) expect(RESERVED_LABELS.has(name)).toBe(true)
    expect(RESERVED_LABELS.has("region")).toBe(false)
  })
})

describe("the value of a label", () => {
  it("contains no unescaped quotes, backslashes or line ends", () => {
    expect(labelValue('a"b\\c')).toBe('a\\"b\\\\c')
    expect(labelValue('x"} 1\nevil 2')).not.toMatch(/\n|(^|[^\\])"/)
  })

  it("is truncated to 128 characters, never within a character", () => {
    expect(labelValue("a".repeat(128))).toBe("a".repeat(128))
    expect(labelValue("a".repeat(129))).toBe("a".repeat(128))
    expect(labelValue("😀".repeat(129))).toBe("😀".repeat(128))
  })
})
