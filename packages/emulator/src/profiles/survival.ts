/** Profiles of games with engines of their own that speak Source's queries: Rust, Arma 3, DayZ. */
import { binaryRules } from "./binaryRules.ts"
import { rulesReply } from "./cvars.ts"
import { infoReply } from "./info.ts"
import { ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** Rust: more players than a byte can count, the true number hidden in the keywords, an app id beyond 16 bits. */
export const rust = ready(
  { name: "Sourcewire Island | Weekly | Vanilla", map: "Procedural Map", people: 300, port: 28015 },
  ({ people, random, ...own }) => {
    const rule = (name: string, value: string | number) => ({ name, value: String(value) })
    return {
      name: "rust",
      description: "Rust with 300 players: the count byte wraps at 256, the keywords tell the true number",
      info: infoReply({
        ...own,
        folder: "rust",
        game: "Rust",
        appId: 252490,
        players: people & 0xff,
        maxPlayers: 350 & 0xff,
        vac: true,
        version: "2592",
        steamId: "90197423541288961",
        keywords: `mp350,cp${people},ptrak,qp12,v2592,born1790812800,gmrust,weekly,vanilla,EU`,
        gameId: "252490"
      }),
      players: playersReply(crowd(random, { people })),
      rules: rulesReply([
        rule("build", "123456"),
        rule("description_0", "Fresh map every Thursday at 18:00. "),
        rule("description_1", "Max. team size 4. Be kind, or at least be quick."),
        rule("ent_cnt", random.int(90_000, 190_000)),
        rule("fps", 30),
        rule("fps_avg", "29.87"),
        rule("gc_cl", random.int(100, 900)),
        rule("gc_mb", random.int(1000, 4000)),
        rule("hash", random.int(0, 0xffffffff).toString(16).padStart(8, "0")),
        rule("headerimage", "https://example.org/header.png"),
        rule("logoimage", ""),
        rule("pve", "False"),
        rule("uptime", random.int(1000, 600_000)),
        rule("url", "https://example.org"),
        rule("world.seed", random.int(1, 2 ** 31)),
        rule("world.size", 4250)
      ]),
      oversize: { how: "split", maxBytes: 1260, layout: "source" }
    }
  }
)

/** Arma 3: its mods travel as binary chunks in the names and values of rules, in one large datagram. */
export const arma3 = ready(
  { name: "Sourcewire Coop [ACE, CBA]", map: "Altis", people: 41, port: 2302 },
  ({ people, random, ...own }) => ({
    name: "arma3",
    description: "Arma 3 with mods and signatures packed into binary rules",
    info: infoReply({
      ...own,
      folder: "Arma3",
      game: "CO-60 Night Patrol",
      appId: 107410,
      players: people,
      maxPlayers: 60,
      environment: "windows",
      passwordProtected: true,
      version: "2.20.152984",
      steamId: "90196873920184322",
      keywords: "bt,r220,n152984,s7,i2,mf,lf,vt,dt,tcoop,g65545,h5f3a91c7,f0,c8-51,pw,e0,j0,k0,",
      gameId: "107410"
    }),
    players: playersReply(crowd(random, { people, allZero: true })),
    rules: rulesReply(binaryRules(random, { game: "arma3", mods: 42, signatures: 28 })),
    oversize: { how: "whole", maxBytes: 1400 }
  })
)

/** DayZ: nameless players, and a RULES reply of 2 500 bytes in one datagram, which the network may have to fragment. */
export const dayz = ready(
  { name: "Sourcewire Chernarus | 1PP | Loot+", map: "chernarusplus", people: 58, port: 2302 },
  ({ people, random, ...own }) => ({
    name: "dayz",
    description: "DayZ with nameless players and binary rules of 2 500 bytes in one datagram",
    info: infoReply({
      ...own,
      folder: "dayz",
      game: "DayZ",
      appId: 221100,
      players: people,
      maxPlayers: 60,
      environment: "windows",
      version: "1.28.160049",
      steamId: "90199120485763078",
      keywords: "battleye,no3rd,external,privHive,shard,lqs3,etm6.000000,entm4.000000,mod,09:41",
      gameId: "221100"
    }),
    players: playersReply(
      crowd(random, { people, allZero: true }).map((player) => ({ ...player, name: "", score: 0 }))
    ),
    rules: rulesReply([
      ...binaryRules(random, { game: "dayz", mods: 80, signatures: 46 }),
      { name: "allowedBuild", value: "0" },
      { name: "dedicated", value: "1" },
      { name: "island", value: "chernarusplus" },
      { name: "language", value: "65545" },
      { name: "platform", value: "win" },
      { name: "requiredBuild", value: "0" },
      { name: "requiredVersion", value: "128" },
      { name: "timeLeft", value: "15" }
    ]),
    oversize: { how: "whole", maxBytes: 1400 }
  })
)
