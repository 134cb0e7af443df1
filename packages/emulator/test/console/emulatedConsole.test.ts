import { assert, describe, it } from "@effect/vitest"
import { readStatus } from "@sourcewire/core/text"
import { profiles } from "../../src/profiles/index.ts"
import { current } from "@sourcewire/server"
import type { CommandSource } from "@sourcewire/server/machines"
import { emulatedConsole } from "../../src/console/emulatedConsole.ts"

const source: CommandSource = { address: "127.0.0.1", port: 4000, engine: "source" }
const goldSource: CommandSource = { ...source, engine: "goldsource" }

describe("emulatedConsole", () => {
  const run = emulatedConsole(profiles.css({}))

  it("shows the name, the map and the players in its status", () => {
    const status = run("status", source) as string
    const { announced, hostname, map, players, unread } = readStatus(status)
    assert.deepStrictEqual(
      { map, unread, hostname },
      { map: "de_dust2", unread: [], hostname: current(profiles.css().info)!.name }
    )
    assert.deepStrictEqual(announced, { humans: 22, bots: 4, maxPlayers: 32 })
    assert.lengthOf(players, 26)
  })

  it("lists all variables, or the variables with a given prefix", () => {
    const all = run("cvarlist", source) as string
    assert.isAbove(all.length, 2000)
    const some = run("cvarlist sv_g", source) as string
    assert.match(some, /sv_gravity +: 800\n/)
    assert.notMatch(some, /mp_timelimit/)
  })

  it("prints the value of a variable, and prints nothing if the command sets the variable", () => {
    assert.strictEqual(run("sv_gravity", source), '"sv_gravity" = "800"\n')
    assert.strictEqual(run('sv_gravity "20 0"', source), "")
    assert.strictEqual(run("sv_gravity", goldSource), '"sv_gravity" is "20 0"\n')
  })

  it.each([
    ["echo Zoë  ★", "Zoë ★ \n"],
    ['echo "two  blanks"', "two  blanks \n"],
    ["", ""],
    ["nosuch", 'Unknown command "nosuch"\n'],
    ["toString", 'Unknown command "toString"\n']
  ])("replies to the command %j", (command, reply) => {
    assert.strictEqual(run(command, source), reply)
  })

  it("prints nothing on GoldSource, and a coloured warning on Xash3D, if a command is unknown", () => {
    assert.strictEqual(run("nosuch", goldSource), "")
    assert.strictEqual(run("nosuch", { ...source, engine: "quake" }), '^3Warning: ^7Unknown command "nosuch"\n')
  })
})

describe("the emulated console of an HLTV proxy", () => {
  const run = emulatedConsole(profiles.hltv())

  it.each([
    ["echo hello there", "hello there\n"],
    ["echo", "Syntax: title <text>\n"],
    ["delay 12; echo done", "done\n"],
    ["delay", "Syntax: delay <seconds>\nCurrent spectator delay is 12.0 seconds.\n"],
    ['echo "a;b"', "a;b\n"],
    ["say hello", ""],
    ["sv_gravity 800", 'WARNING! System::DispatchCommand: command "sv_gravity 800" not registered.\n'],
    ["", ""]
  ])("replies to the command %j", (command, reply) => {
    assert.strictEqual(run(command, goldSource), reply)
  })

  it("shows the status of the proxy, and lists the players including the proxy itself", () => {
    assert.match(run("status", goldSource) as string, /^--- HLTV Status ---\n[^]*Map "de_train", Players 4\n$/)
    assert.match(run("players", goldSource) as string, /^# 1 "[^]*--- Total 4 Players ---\n$/)
  })
})
