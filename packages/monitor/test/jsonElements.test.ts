import { describe, expect, it } from "vitest"
import { BadList, elementsIn, fieldsIn, readElements, readFields, stringIn } from "../src/sources/jsonElements.ts"

const elements = (text: string) => [...elementsIn(text)].map(({ from, to }) => text.slice(from, to))
const fields = (text: string) =>
  Object.fromEntries([...fieldsIn(text)].map(([key, { from, to }]) => [key, text.slice(from, to)]))

describe("the elements of an array", () => {
  it.each([
    ["[]", []],
    [" [ ] ", []],
    ["[1]", ["1"]],
    ['\t[ "a" ,\r\n-1.5e+3 , true,false,null ] ', ['"a"', "-1.5e+3", "true", "false", "null"]],
    ['[{"a":[1,{"b":"]}"}]},[[]],"x,y"]', ['{"a":[1,{"b":"]}"}]}', "[[]]", '"x,y"']],
    ['["a\\"b","c\\\\","\\\\\\""]', ['"a\\"b"', '"c\\\\"', '"\\\\\\""']],
    ["[0,10,0.5]", ["0", "10", "0.5"]]
  ])("can be read from '%s'", (text, expected) => {
    expect(elements(text)).toEqual(expected)
    expect(JSON.parse(text)).toEqual(expected.map((one) => JSON.parse(one)))
  })

  it("the kind of an element is the first character of the element", () => {
    expect([...elementsIn('["a",{},[],1,true]')].map(({ kind }) => kind)).toEqual(['"', "{", "[", "1", "t"])
  })

  it.each([
    "",
    "{}",
    "[",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1]x",
    "[01]",
    "[+1]",
    "[1.]",
    "[truex]",
    "[nul]",
    '["a]',
    '["a\\"]',
    "[{]",
    "[[1]",
    `[${"[".repeat(65)}${"]".repeat(65)}]`
  ])("cannot be read from '%s'", (text) => {
    expect(() => elements(text)).toThrow(BadList)
    expect(() => elements(text)).toThrow("it is not valid JSON")
  })

  it("can contain arrays that are nested up to 64 levels deep", () => {
    const deep = `${"[".repeat(64)}${"]".repeat(64)}`
    expect(elements(`[${deep}]`)).toEqual([deep])
  })

  it("can be read from an array within another array", () => {
    const text = '[["a", "b"]]'
    const [inner] = [...elementsIn(text)]
    expect([...readElements(text, inner!)].map(({ from, to }) => text.slice(from, to))).toEqual(['"a"', '"b"'])
  })
})

describe("the fields of an object", () => {
  it.each([
    ["{}", {}],
    [" { } and more", {}],
    ['{"a":1}', { a: "1" }],
    ['{ "a" : "x" , "b" :\n[1,2] }', { a: '"x"', b: "[1,2]" }],
    ['{"a":1,"a":2}', { a: "2" }]
  ])("can be read from '%s'", (text, expected) => {
    expect(fields(text)).toEqual(expected)
  })

  it.each([
    "",
    "[]",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    "{a:1}",
    '{"a":1 "b":2}',
    "{1:1}"
  ])("cannot be read from '%s'", (text) => {
    expect(() => fields(text)).toThrow(BadList)
  })

  it("an object may have up to 256 fields, and keys of more than 64 characters are truncated", () => {
    const many = (count: number) => `{${Array.from({ length: count }, (_, i) => `"f${i}":1`).join()}}`
    expect(Object.keys(fields(many(256)))).toHaveLength(256)
    expect(() => fields(many(257))).toThrow(BadList)
    expect(Object.keys(fields(`{"${"k".repeat(70)}":1}`))).toEqual(["k".repeat(64)])
  })

  it("can be read if the object is an element of an array", () => {
    const text = '[{"a":1}]'
    const [one] = [...elementsIn(text)]
    expect([...readFields(text, one!).keys()]).toEqual(["a"])
  })
})

describe("the string of an element", () => {
  const readString = (text: string, most: number) => stringIn(text, [...elementsIn(text)][0]!, most)

  it("contains characters instead of their escape sequences", () => {
    expect(readString('["a\\u00e9\\n"]', 100)).toBe("aé\n")
  })

  it("is undefined if the element is longer than the limit or is not a string", () => {
    expect(readString('["abc"]', 5)).toBe("abc")
    expect(readString('["abc"]', 4)).toBeUndefined()
    expect(readString("[12]", 100)).toBeUndefined()
  })

  it("cannot be read if it has an invalid escape sequence", () => {
    expect(() => readString('["\\x"]', 100)).toThrow(BadList)
  })
})
