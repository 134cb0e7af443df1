import { describe, expect, it } from "vitest"
import { COMMON_NAMES } from "../../../src/rcon/console/commonNames.ts"
import { Names } from "../../../src/rcon/console/names.ts"

const lists: Readonly<Record<string, string>> = {
  "GoldSource's cvarlist": [
    "CVar List",
    "--------------",
    "sv_gravity                   :              800, sv",
    "sv_downloadurl               :                 ",
    "hostname                     : A server: with colons",
    "--------------",
    "  3 Total CVars",
    "CvarList ? for syntax",
    ""
  ].join("\n"),
  "GoldSource's cmdlist":
    "Command List\n--------------\n_restart\naddip\n--------------\n 2 Total Commands\nCmdList ? for syntax\n",
  "Source's cvarlist": [
    "cvar list",
    "--------------",
    'sv_gravity                               : 800      : , "nf", "rep"    : World gravity.',
    "                                           Usage: sv_gravity <units>",
    "+attack                                  : cmd      :                  : ",
    "--------------",
    "  2 total convars/concommands",
    ""
  ].join("\n"),
  "Xash3D's cvarlist": " sv_gravity           800    ^3world gravity value^7\n\n1 cvars\n"
}

const learnt = (list: string): ReadonlyArray<string> => {
  const names = new Names([])
  names.learn("cvarlist", list)
  return names.complete("")[0]
}

describe("completions of names", () => {
  it.each([
    ["GoldSource's cvarlist", ["hostname", "sv_downloadurl", "sv_gravity"]],
    ["GoldSource's cmdlist", ["_restart", "addip"]],
    ["Source's cvarlist", ["+attack", "sv_gravity"]],
    ["Xash3D's cvarlist", ["sv_gravity"]]
  ])("are read from %s", (list, names) => {
    expect(learnt(lists[list]!)).toEqual(names)
  })

  it.each([
    ["cvarlist", true],
    ["CmdList sv_", true],
    [" cvarlist", true],
    ["status", false],
    ["cvarlists", false],
    ["echo cvarlist", false]
  ])(
    "are read from a reply only if the command lists names (command: %j, names are read: %j)",
    (command, isListing) => {
      const names = new Names([])
      names.learn(command, "sv_gravity : 800\n")
      expect(names.complete("sv")[0].length > 0).toBe(isListing)
    }
  )

  it.each([
    [
      "Source",
      "-------------\nPENDING:   (fs) de_dust2.bsp\nPENDING:   (fs) workshop/123/de_dusk.bsp\nPENDING:   (fs) cp_well.bsp\n",
      ["de_dust2"]
    ],
    ["GoldSource", "Dir:  maps  cstrike\n-------------\nDE_DUST2.BSP\ncs_office.bsp\n", ["DE_DUST2"]]
  ])("include the maps that a %s server has listed in reply to the command `maps`", (_, list, matches) => {
    const names = new Names(["changelevel"])
    names.learn("maps *", list)
    expect(names.complete("changelevel de_")).toEqual([matches, "de_"])
    expect(names.complete("ChangeLevel ")[0].length).toBe(list.match(/\.bsp/gi)!.length)
    expect(names.complete("de_")).toEqual([[], "de_"])
    expect(names.complete("say de_")).toEqual([[], ""])
  })

  it.each([
    ["sv_g", ["sv_gravity"], "sv_g"],
    ["SV_", ["sv_downloadurl", "sv_gravity"], "SV_"],
    ["help sv_g", ["sv_gravity"], "sv_g"],
    ["cvarlist host", ["hostname"], "host"],
    ["say sv_g", [], ""],
    ["sv_gravity 8", [], ""],
    ["nothing", [], "nothing"]
  ])("for the line %j are %j", (line, matches, word) => {
    const names = new Names([])
    names.learn("cvarlist", lists["GoldSource's cvarlist"]!)
    expect(names.complete(line)).toEqual([matches, word])
  })

  it.each(["source", "goldsource", "quake"] as const)(
    "include common commands and variables before a %s server has listed its names",
    (engine) => {
      const names = new Names(COMMON_NAMES[engine])
      expect(names.complete("stat")[0]).toContain("status")
      expect(names.complete("cvar")[0]).toContain("cvarlist")
      expect(names.complete("")[0].filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
    }
  )

  it("exclude names that are too long or contain control characters", () => {
    expect(learnt(`\u001b[31mred\n${"a".repeat(65)}\nsv_\u202ename : 1\n`)).toEqual([])
  })
})
