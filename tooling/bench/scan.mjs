// Scans: ours against the least that each runtime can do and against other clients, on a farm of emulated servers on loopback. Every
// run is a process of its own; clients take turns; medians count. With --write the sections measured go to docs/benchmarks/scan.md.
//
//   pnpm bench:scan [--rounds N] [--workloads B,profileB,warm,D,profile,Dz,C,growth,memory] [--write]
import { options } from "./report.ts"
import { decodingLoops } from "./scan/clients.mjs"
import { growth, memory } from "./scan/growth.mjs"
import { lossy } from "./scan/lossy.mjs"
import { profile } from "./scan/profile.mjs"
import { compressed, speed, warm } from "./scan/speed.mjs"
import { measureParts } from "./sections.ts"

const HEAD = `# Scanning

Ours beside the least that each runtime's sockets can do, and beside other clients, on one farm of emulated servers on loopback. Client and farm have a CPU each, compilers and collectors of the client included; every run is a process of its own, after a first one over 1000 servers that is not counted; clients take turns; a run that others disturbed is repeated; figures are medians, and what counts are the ratios, which are medians of what two clients were to each other round by round. On a machine that others use, ratios have differed by up to a fifth from one call to the next. Behind each figure stands what it has to be; \`MISSED\` marks those that are not. Made by \`pnpm bench:scan --write\`; how a scan works is in [ADR 5](../adr/0005-scanner.md).
`

const SAMPLED =
  "By V8's and JavaScriptCore's own sampling, a mean of the rounds, the samplers themselves left out. What is native belongs to the JavaScript that calls it, unless it is a call of the system."

const given = options({ rounds: 5, workloads: "B,profileB,warm,D,profile,Dz,C,growth,memory" })
const { rounds, write } = given

const parts = {
  B: {
    title: "INFO from 10 000 servers",
    about: "Each wants a challenge; no loss, no latency. Every client at the concurrency that suits it best.",
    measure: () =>
      speed({
        rounds,
        workload: "B",
        n: 10_000,
        candidates: [10, 50, 100, 250],
        least: 2.5,
        mustBeat: "sourcewire on Bun"
      })
  },
  profileB: {
    title: "Where the time of these 10 000 goes, and who owns it",
    about: `${SAMPLED} 100 in flight, beside the raw loop, which decodes nothing.`,
    measure: () => profile({ rounds, workload: "B", n: 10_000, concurrency: 100 })
  },
  warm: {
    title: "INFO from 50 000 servers, warm",
    about:
      "After as many that are not counted: a program that scans all day. In the scan of 10 000 servers above, compilers are still at work, and ours gives them more to do than a loop that decodes nothing.",
    measure: () => warm(rounds)
  },
  D: {
    title: "INFO, 32 players and 120 rules in several fragments from 2 000 servers",
    about:
      "The raw loops read the headers only, unless they decode by hand; the others decode everything. `right` counts servers with all players and all rules.",
    measure: () => speed({ rounds, workload: "D", n: 2000, candidates: [10, 25, 50], further: decodingLoops, least: 4 })
  },
  profile: {
    title: "Where the time of these 2 000 goes, and who owns it",
    about: `${SAMPLED} 10 in flight, beside the loop that decodes by hand.`,
    measure: () => profile({ rounds, workload: "D", n: 2000, concurrency: 10 })
  },
  Dz: {
    title: "The same with the rules compressed",
    about: "200 servers, one round: who can read them?",
    measure: compressed
  },
  C: {
    title: "10 % dead, 1 % of datagrams lost each way, 50 ± 10 ms, 1 000 in flight",
    about:
      "Ours with its default settings, the others with three attempts of one second where they have attempts at all.",
    measure: () => lossy(rounds)
  },
  growth: {
    title: "What a server costs in a short scan and in a long one",
    about:
      "On Node, 100 in flight, after 50 000 servers that are not counted. As many scans of each size as make 100 000 servers, summed; the least of the rounds, since other work on the machine can only add.",
    measure: () => growth(rounds)
  },
  memory: {
    title: "A million targets, 95 % of them dead",
    about:
      "On Node, 10 000 in flight, 300 ms at most per target, one retransmission.\n\n![Resident memory over targets](scan-memory.svg)",
    measure: () => memory(write)
  }
}

await measureParts("scan.md", HEAD, parts, given.workloads, write)
