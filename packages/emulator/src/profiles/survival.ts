/** Profiles of games whose engines are not Valve's, but support the queries of Source: Rust, Arma 3, DayZ. */
import { binaryRules } from "./binaryRules.ts"
import { toRules, rulesReply, sortedRules } from "./cvars.ts"
import { ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** Rust: by default, more than 255 players, whose correct number is in the keywords, and an app id of more than 16 bits. */
export const rust = ready("rust", (filled) => {
  const { info, people, random } = filled
  return {
    info: {
      ...info,
      players: people & 0xff,
      keywords: `mp350,cp${people},ptrak,qp12,v2592,born1790812800,gmrust,weekly,vanilla,EU`
    },
    players: playersReply(crowd(filled)),
    rules: rulesReply(
      sortedRules({
        ...filled.rules,
        ent_cnt: random.int(90_000, 190_000),
        gc_cl: random.int(100, 900),
        gc_mb: random.int(1000, 4000),
        hash: random.int(0, 0xffffffff).toString(16).padStart(8, "0"),
        uptime: random.int(1000, 600_000),
        "world.seed": random.int(1, 2 ** 31)
      })
    )
  }
})

/** Arma 3: its mods are binary chunks in the names and values of rules, in one large datagram. */
export const arma3 = ready("arma3", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply(binaryRules(filled.random, { game: "arma3", mods: 42, signatures: 28 }))
}))

/** DayZ: nameless players, and a RULES reply of 2 500 bytes in one datagram, which the network may have to fragment. */
export const dayz = ready("dayz", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true }).map((player) => ({ ...player, name: "", score: 0 }))),
  rules: rulesReply([
    ...binaryRules(filled.random, { game: "dayz", mods: 80, signatures: 46 }),
    ...toRules(filled.rules!)
  ])
}))
