/** Compares our summaries of servers with gamedig's summaries: finds the fields that differ, and states which summary is right. */
import { bench } from "../Bench.ts"
import { compareGames } from "../games/compare.ts"

export default bench({
  title: "Summaries beside gamedig",
  about:
    "Sourcewire and gamedig 5.3.3 query INFO, players and rules of the same servers on loopback. The benchmark compares the summaries that `summary` (from `@sourcewire/games`) and gamedig return.",
  options: {},
  parts: () => ({
    games: {
      title: "Summaries beside gamedig",
      about:
        "Most servers reply with datagrams that were recorded from real servers; the others are emulated. The table lists each difference between the two summaries, and states which summary is right. If a difference has no known reason, the benchmark fails. If Sourcewire and gamedig return different tags for several servers of the same game, the table lists this difference for only one of these servers. Connect links are not compared, because gamedig's link is always the address that was queried. A test compares Sourcewire's query ports with gamedig's query ports (`packages/games/test/records.test.ts`).",
      measure: compareGames
    }
  })
})
