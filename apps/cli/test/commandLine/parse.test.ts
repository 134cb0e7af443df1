import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { operandsIn, parse } from "../../src/commandLine/parse.ts"
import type { Flags } from "../../src/options.ts"
import * as options from "../../src/options.ts"
import { loadAll, names } from "../../src/program.ts"

const flags = options.named({
  target: options.argument("target", "One"),
  others: options.rest("others", "More"),
  json: options.json,
  file: options.text("FILE", "A file", { alias: "f" }),
  header: options.texts("TEXT", "Texts"),
  count: options.count(4, "A number", { least: 0, most: 10, alias: "c" }),
  timeout: options.milliseconds(3000, "A duration"),
  watch: options.optionalSeconds("A duration", { alone: 60 }),
  conversation: options.optionalCount("A number", { least: 0, alone: 0 }),
  color: options.oneOf(["auto", "always", "never"], "auto", "A word", { alone: "always", negated: "never" }),
  open: options.on("A switch", { otherwise: true, negated: false }),
  password: options.secret("PASSWORD", "A secret")
})

const read = (line: string | ReadonlyArray<string>, by: Flags = flags) =>
  parse(by, typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line)

const settings = (line: string | ReadonlyArray<string>) => Result.getOrThrow(read(line))

const problem = (line: string | ReadonlyArray<string>): string =>
  Result.match(read(line), { onSuccess: () => "none", onFailure: ({ message }) => message })

describe("the parser", () => {
  it("returns the default of each missing flag", () => {
    expect(settings("a")).toEqual({
      target: "a",
      others: [],
      json: false,
      file: undefined,
      header: [],
      count: 4,
      timeout: 3000,
      watch: undefined,
      conversation: undefined,
      color: "auto",
      open: true,
      password: undefined
    })
  })

  it.each([
    ["a b -", { target: "a", others: ["b", "-"] }],
    ["--json a --file x b", { target: "a", others: ["b"], json: true, file: "x" }],
    ["a -f x", { file: "x" }],
    ["a -fx", { file: "x" }],
    ["a -f=x", { file: "x" }],
    ["a -f -", { file: "-" }],
    ["a --file=--json", { file: "--json", json: false }],
    ["a --file=b=c", { file: "b=c" }],
    ["a -- --json", { others: ["--json"], json: false }],
    ["a --json=no", { json: false }],
    ["a --json yes", { json: true, others: ["yes"] }],
    ["a --no-open", { open: false }],
    ["a --no-color", { color: "never" }],
    ["a --color", { color: "always" }],
    ["a --color b", { color: "always", others: ["b"] }],
    ["a --color never", { color: "never" }],
    ["a --password x", { password: Redacted.make("x") }]
  ])("parses %j", (line, expected) => {
    expect(settings(line)).toMatchObject(expected)
  })

  it.each([
    ["a --count 5 --count 6", { count: 6 }],
    ["a -c 5 --count=6", { count: 6 }],
    ["a --file x -f y", { file: "y" }],
    ["a --json --json=no", { json: false }],
    ["a --color=always --no-color", { color: "never" }],
    ["a --header x --header y", { header: ["x", "y"] }]
  ])(
    "uses only the last value of a repeated flag, but all values of a flag that accepts a list: %s",
    (line, expected) => {
      expect(settings(line)).toMatchObject(expected)
    }
  )

  it.each([
    ["500", 500],
    ["500ms", 500],
    ["5s", 5000],
    ["1.5s", 1500],
    ["1m", 60_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000]
  ])("accepts the duration %s", (text, timeout) => {
    expect(settings(`a --timeout ${text}`)).toMatchObject({ timeout })
  })

  it.each([
    ["--watch", 60],
    ["--watch 5", 5],
    ["--watch=5", 5],
    ["--watch 1m", 60],
    ["--watch 10.0.0.0/24", 60],
    ["--watch --json", 60]
  ])("uses the word after --watch as the value of --watch only if this word is a duration: %s", (line, watch) => {
    expect(settings(`a ${line}`)).toMatchObject({ watch })
  })

  it.each([
    ["", "TARGET is missing."],
    ["a --jsn", "There is no flag --jsn. Did you mean --json?"],
    ["a --xyzzy", "There is no flag --xyzzy."],
    ["a -x", "There is no flag -x. Flags of one letter: --file (-f), --count (-c)."],
    ["a --no-json", "There is no flag --no-json."],
    ["a --file", "--file requires a value (FILE)."],
    ["a --file=", "--file requires a value (FILE)."],
    [
      "a --file --json",
      "--file requires a value (FILE). --json is a flag; to use it as the value, write --file=--json."
    ],
    ["a --count 11", '--count must be a whole number, from 0 to 10, not "11".'],
    ["a --count -1", '--count must be a whole number, from 0 to 10, not "-1".'],
    ["a --count 1.5", '--count must be a whole number, from 0 to 10, not "1.5".'],
    ["a --timeout 0", '--timeout must be a duration such as 500ms, 5s or 1m, 1ms or more, not "0".'],
    ["a --timeout 5x", '--timeout must be a duration such as 500ms, 5s or 1m, 1ms or more, not "5x".'],
    ["a --watch=500ms", '--watch must be a duration such as 500ms, 5s or 1m, 1s or more, not "500ms".'],
    ["a --color=alway", '--color must be one of auto, always, never, not "alway". Did you mean always?'],
    ["a --json=maybe", '--json accepts on or off, not "maybe".']
  ])("rejects %j, and explains the problem", (line, message) => {
    expect(problem(line)).toBe(message)
  })

  it("rejects an empty value, and an argument that the command does not accept", () => {
    expect(problem(["a", "--file", ""])).toBe("--file requires a value (FILE).")
    expect(parse(options.named({ json: options.json }), ["a"])).toMatchObject({
      failure: { message: 'Unexpected argument "a". The command accepts no arguments.' }
    })
  })
})

it("operandsIn finds the words that are neither flags nor values of flags", () => {
  const all = Object.values(flags).filter(({ is }) => is !== "argument")
  const words = (line: string) => {
    const args = line.split(" ")
    return operandsIn(all, args).map((place) => args[place])
  }
  expect(words("--json info a")).toEqual(["info", "a"])
  expect(words("--timeout 500 -f x info a --unknown b")).toEqual(["info", "a", "b"])
  expect(words("--watch scan --watch 5 a -- b")).toEqual(["scan", "a"])
})

describe("the flags of all commands", async () => {
  const commands = await loadAll()
  const all = names.flatMap((name) => Object.values(commands[name]!.flags).map((flag) => ({ name, flag })))

  it("a flag that is a switch in one command is a switch in every command that supports this flag", () => {
    const kinds = Map.groupBy(
      all.filter(({ flag }) => flag.is !== "argument"),
      ({ flag }) => flag.name
    )
    const mixed = [...kinds].filter(([, uses]) => new Set(uses.map(({ flag }) => flag.is === "switch")).size > 1)
    expect(mixed.map(([name]) => name)).toEqual([])
  })

  it("a one-letter flag is the short form of the same flag in all commands", () => {
    const uses = Map.groupBy(
      all.filter(({ flag }) => flag.alias !== undefined),
      ({ flag }) => flag.alias!
    )
    const ambiguous = [...uses].filter(([, sites]) => new Set(sites.map(({ flag }) => flag.name)).size > 1)
    expect(ambiguous.map(([letter]) => letter)).toEqual([])
  })
})
