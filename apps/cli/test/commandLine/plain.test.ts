import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Command } from "../../src/commandLine/command.ts"
import { runFull } from "../../src/commandLine/full.ts"
import { readPlain } from "../../src/commandLine/plain.ts"
import type { Flag } from "../../src/options.ts"
import { info } from "../../src/query/commands.ts"
import { Output, type Surface } from "../../src/output/output.ts"
import { plain } from "../../src/output/text.ts"
import { load, names } from "../../src/program.ts"

const query = info.flags

const silent: Surface = {
  columns: 80,
  isTerminal: false,
  palette: plain,
  write: () => Effect.void,
  line: () => Effect.void,
  writeNow: () => {},
  put: () => 0
}

/** What effect/cli makes of a command line; `undefined` where it complains. */
const readFull = async (name: string, command: Command, args: ReadonlyArray<string>): Promise<unknown> => {
  let read: unknown
  const load = async () => (settings: unknown) => Effect.sync(() => void (read = settings))
  await runFull({ [name]: { ...command, load } }, [name, ...args], "").pipe(
    Effect.ignore,
    Effect.provideService(Output, { out: silent, err: silent }),
    Effect.runPromise
  )
  return read
}

/** Texts that a flag takes, and some that it does not. */
const textsFor = ({ is, words }: Flag<unknown>): ReadonlyArray<string> =>
  is === "whole"
    ? ["1", "0", "007", "70000", "1e3", "1.5", "-1", " 1", "x", "", "9007199254740993"]
    : [...(words ?? ["text", "a=b", "0.5"]), "-", "-x", "--json", "yes", "", "Auto"]

/** What may stand behind a flag, and before it. */
const linesFor = (flag: Flag<unknown>, before: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  if (flag.is === "argument") return [["a"], ["a", "b", "-"], ["a", "-5"], ["a", "--", "--json"], ["", "a"]]
  const names = [`--${flag.name}`, ...(flag.alias === undefined ? [] : [`-${flag.alias}`])]
  return names.flatMap((name) => [
    [name, ...before],
    [...before, name],
    [...before, name, "yes"],
    [...before, `${name}=`],
    [...before, `--no-${flag.name}`],
    ...textsFor(flag).flatMap((text) => [
      [...before, name, text],
      [...before, `${name}=${text}`],
      [...before, name, text, name, text]
    ])
  ])
}

describe("a plain command line", () => {
  it.each(names)("%s: says what effect/cli reads in it", async (name) => {
    const command = await load[name]()
    const flags = Object.values(command.flags)
    const before = flags.some(({ is }) => is === "argument") ? ["a"] : []
    const lines = [[], ["a"], ["--nonsense"], ...flags.flatMap((flag) => linesFor(flag, before))]
    let understood = 0
    for (const line of lines) {
      const settings = readPlain(command.flags, line)
      if (settings === undefined) continue
      understood++
      expect({ line, settings }).toEqual({ line, settings: await readFull(name, command, line) })
    }
    expect(understood).toBeGreaterThan(lines.length / 5)
  })

  it("is every usual one", () => {
    const read = readPlain(query, ["127.0.0.1", "--json", "-f", "-", "--timeout=500", "b", "--encoding", "latin1"])
    expect(read).toMatchObject({
      addresses: ["127.0.0.1", "b"],
      json: true,
      trace: false,
      file: "-",
      timeout: 500,
      encoding: "latin1",
      concurrency: 64
    })
  })

  it.each(["--help", "-h", "--version", "--", "-=x", "--jsn", "--json=true", "--timeout", "-fx", "--timeout 0"])(
    "is not %s",
    (args) => {
      expect(readPlain(query, args.split(" "))).toBeUndefined()
    }
  )
})
