/**
 * Tests the parser for the output of `status`, with a recording of ReHLDS (GoldSource) and with texts in the formats of Source and Source 2
 * servers. These formats are known from tests of other programs and from forums. The names and addresses in the texts are invented.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { readStatus } from "../../src/rcon/ServerStatus.ts"

const readNames = (text: string): ReadonlyArray<string> => readStatus(text).players.map(({ name }) => name)

describe("readStatus", () => {
  it("reads the recorded status of ReHLDS", () => {
    const { exchanges } = JSON.parse(
      readFileSync(new URL("../fixtures/recordings/rehlds.json", import.meta.url), "utf8")
    ) as { exchanges: ReadonlyArray<{ request_hex: string; replies: ReadonlyArray<{ hex: string }> }> }
    const texts = exchanges
      .flatMap(({ replies }) => replies.map(({ hex }) => Buffer.from(hex, "hex").toString("utf8", 5)))
      .filter((text) => text.startsWith("hostname:"))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) {
      const { fields: _, players, unread, ...head } = readStatus(text.replace(/\0+$/, ""))
      expect(head).toEqual({
        layout: "goldsource",
        hostname: "ReHLDS probe server",
        version: "48/1.0.1.4 4605 insecure  (70)",
        address: "127.0.0.1:27116",
        map: "probe_room",
        announced: { players: 6, maxPlayers: 16 }
      })
      expect(unread).toEqual([])
      expect(players.map(({ name, uniqueId, userId }) => [userId, name, uniqueId])).toEqual([
        [1, "Alice", "BOT"],
        [2, "Bob the Bot", "BOT"],
        [3, "HLTV probe", "HLTV"],
        [4, "(1)Alice", "BOT"],
        [5, "(1)Bob the Bot", "BOT"],
        [6, "Zoë  玩家", "BOT"]
      ])
      expect(players[1]).toMatchObject({ isBot: true, score: -3, ping: 0, loss: 0 })
      expect(players[2]).toMatchObject({ isBot: false, address: "127.0.0.1:27117" })
    }
  })

  it("reads the status of a Team Fortress 2 server behind Steam's relays", () => {
    const status = readStatus(`hostname: A server
version : 9543365/24 9543365 secure
udp/ip  : 169.254.173.35:13768  (local: 0.0.0.0:27015)  (public IP from Steam: 198.51.100.3)
steamid : [A:1:1871475725:44792] (90264374594008077)
account : not logged in  (No account specified)
map     : cp_badlands at: 0 x, 0 y, 0 z
tags    : cp
sourcetv:  169.254.173.35:13769, delay 30.0s  (local: 0.0.0.0:27020)
players : 1 humans, 1 bots (25 max)
edicts  : 426 used of 2048 max
# userid name                uniqueid            connected ping loss state  adr
#      2 "A server TV" BOT                       active
#    775 "one"               [U:1:111111]      1:36:10    60    0 active 169.254.249.16:18930
Loaded plugins:
---------------------
0:\t"SomePlugin v4.75, Somebody"
---------------------
`)
    expect(status).toMatchObject({
      layout: "source",
      address: "169.254.173.35:13768",
      localAddress: "0.0.0.0:27015",
      publicAddress: "198.51.100.3",
      steamId: "90264374594008077",
      announced: { humans: 1, bots: 1, maxPlayers: 25 },
      fields: { account: "not logged in  (No account specified)" },
      unread: ["Loaded plugins:", '0:\t"SomePlugin v4.75, Somebody"']
    })
    expect(status.players).toEqual([
      { userId: 2, name: "A server TV", isBot: true, uniqueId: "BOT", state: "active" },
      {
        userId: 775,
        name: "one",
        isBot: false,
        uniqueId: "[U:1:111111]",
        steamId: "76561197960376839",
        connectedSeconds: 5770,
        ping: 60,
        loss: 0,
        state: "active",
        address: "169.254.249.16:18930"
      }
    ])
  })

  it("returns the public address, but no `address`, if the server hides its own address", () => {
    const status = readStatus("udp/ip  : ?.?.?.?:?  (public IP from Steam: 198.51.100.3)\n")
    expect(status).not.toHaveProperty("address")
    expect(status.publicAddress).toBe("198.51.100.3")
  })

  it("reads the status of Left 4 Dead 2 and CS:GO", () => {
    const status = readStatus(`hostname: Here
version : 2.2.2.5 8490 secure  (unknown)
udp/ip  : 10.0.0.5:27015 [ public 198.51.100.3:27015 ]
os      : Linux Dedicated
map     : c1m1_hotel
players : 2 humans, 1 bots (4 max) (not hibernating) (unreserved)

# userid name uniqueid connected ping loss state rate adr
#224 "Moe" BOT active
# 194 2 "c#r "x" y" STEAM_1:0:1111111 33:48 67 0 active 20000 192.0.2.222:27005
# 63 12 "No address" STEAM_1:0:185787149 02:52 47 0 spawning 196608
#end
L 08/28/2012 - 01:28:40: rcon from "192.0.2.222:4181": command "status"
`)
    expect(status).toMatchObject({
      address: "10.0.0.5:27015",
      publicAddress: "198.51.100.3:27015",
      map: "c1m1_hotel",
      unread: []
    })
    expect(status.players).toMatchObject([
      { userId: 224, name: "Moe", isBot: true },
      { userId: 194, name: 'c#r "x" y', steamId: "76561197962487950", rate: 20_000, address: "192.0.2.222:27005" },
      { userId: 63, name: "No address", state: "spawning", rate: 196_608 }
    ])
  })

  it("reads the status of Counter-Strike 2", () => {
    const status = readStatus(`Server:  Running [0.0.0.0:27015]
Client:  Disconnected
----- Status -----
@ Current  :  game
source   : console
hostname : Counter-Strike 2
spawn    : 1
version  : 1.39.7.6/13976 9837 secure  public
steamid  : [G:1:1234567] (85568392921274183)
udp/ip   : 172.17.0.2:27015 (public 198.51.100.9:27015)
os/type  : Linux dedicated
players  : 2 humans, 1 bots (0 max) (not hibernating) (unreserved)
---------spawngroups----
loaded spawngroup(  1)  : SV:  [1: de_dust2 | main lump | mapload]
loaded spawngroup(  2)  : SV:  [2: prefabs/misc/end_of_match | main lump | mapload | point_prefab]
---------players--------
  id     time ping loss      state   rate adr name
65535 [NoChan]    0    0 challenging      0unknown ''
   0      BOT    0    0     active      0 'Moe'
   2 11:01:23   20    0     active 786432 192.0.2.44:27005 'it's "me"'
   3    00:04    4    0   spawning 786432 [A:1:7:8]:0 ''
#end
`)
    expect(status).toMatchObject({
      layout: "source2",
      hostname: "Counter-Strike 2",
      map: "de_dust2",
      address: "172.17.0.2:27015",
      publicAddress: "198.51.100.9:27015",
      steamId: "85568392921274183",
      announced: { humans: 2, bots: 1, maxPlayers: 0 },
      unread: []
    })
    expect(status.players).toEqual([
      { userId: 0, name: "Moe", isBot: true, ping: 0, loss: 0, state: "active", rate: 0 },
      {
        userId: 2,
        name: `it's "me"`,
        isBot: false,
        connectedSeconds: 39_683,
        ping: 20,
        loss: 0,
        state: "active",
        rate: 786_432,
        address: "192.0.2.44:27005"
      },
      {
        userId: 3,
        name: "",
        isBot: false,
        connectedSeconds: 4,
        ping: 4,
        loss: 0,
        state: "spawning",
        rate: 786_432,
        address: "[A:1:7:8]:0"
      }
    ])
  })

  const HEADER = "# userid name uniqueid connected ping loss state rate adr\n"

  it("reads a player name as one name, even if a part of the name looks like a row", () => {
    expect(readNames(`${HEADER}# 2 1 "a\n# 3 "b" BOT active" [U:1:5] 00:10 1 0 active 1 192.0.2.1:1\n#end\n`)).toEqual([
      'a\n# 3 "b" BOT active'
    ])
    expect(
      readNames(
        `  id     time ping loss      state   rate adr name\n   2    00:04    4    0     active 1 192.0.2.1:1 'a\n   3      BOT    0    0     active      0 'b'\n`
      )
    ).toEqual(["a\n   3      BOT    0    0     active      0 'b"])
  })

  it("reports unreadable rows, and reads the other rows", () => {
    const { players, unread } = readStatus(`${HEADER}# 2 1 "a" odd\n# 3 "b" BOT active\nmore\n`)
    expect(players.map(({ name }) => name)).toEqual(["b"])
    expect(unread).toEqual(['# 2 1 "a" odd', "more"])
  })

  it("reports a row as unread if a number in the row is too long, and omits a number of players that is too long", () => {
    const long = "9".repeat(400)
    for (const row of [`# ${long} "a" BOT active`, `# 2 "a" [U:1:5] 00:10 ${long} 0 active`]) {
      expect(readStatus(`${HEADER}${row}\n`)).toMatchObject({ players: [], unread: [row] })
    }
    const row = `   2    00:04    4    0     active ${long} 192.0.2.1:1 'a'`
    expect(readStatus(`  id time ping loss state rate adr name\n${row}\n`)).toMatchObject({
      players: [],
      unread: [row]
    })
    expect(readStatus(`players : ${long} humans, 1 bots (32 max)\n`).announced).toEqual({ bots: 1, maxPlayers: 32 })
  })

  it("accepts line breaks with and without a carriage return, and names whose last part looks like the columns of a row", () => {
    const rows =
      '# 2 1 "a 12 00:10 40 0 active" [U:1:3] 00:10 40 0 active 1 192.0.2.1:1\n# 3 2 "" [U:1:4] 00:10 40 0 active 1 192.0.2.1:1\n#end\n'
    for (const text of [HEADER + rows, (HEADER + rows).replaceAll("\n", "\r\n")]) {
      expect(readNames(text)).toEqual(["a 12 00:10 40 0 active", ""])
      expect(readStatus(text).unread).toEqual([])
    }
  })

  it("reports a truncated last row as unread", () => {
    for (const end of ['# 3 2 "b', '# 3 2 "b" [U:1:4] 00:1']) {
      const { players, unread } = readStatus(`${HEADER}# 2 1 "a" [U:1:3] 00:10 40 0 active 1 192.0.2.1:1\n${end}`)
      expect(players.map(({ name }) => name)).toEqual(["a"])
      expect(unread).toEqual([end])
    }
  })

  it("reports all lines of an unrelated text as unread", () => {
    expect(readStatus('Unknown command "status"\n')).toEqual({
      players: [],
      fields: {},
      unread: ['Unknown command "status"']
    })
    expect(readStatus("")).toEqual({ players: [], fields: {}, unread: [] })
    expect(() => readStatus(7 as never)).toThrow(/text must be a text/)
  })

  it("reads a hostile text within a time limit", () => {
    const rows = `# 2 "${'" BOT '.repeat(20_000)}\n`.repeat(10)
    const spaces = `# 2 "a" ${" ".repeat(200_000)}!\n`
    const begins = '# 2 "a\n'.repeat(50_000)
    for (const text of [rows, spaces, begins, `${":".repeat(500_000)}\n`, `a${" ".repeat(200_000)}`]) {
      const started = performance.now()
      readStatus(HEADER + text)
      readStatus(text)
      expect(performance.now() - started).toBeLessThan(30_000)
    }
  }, 120_000)
})
