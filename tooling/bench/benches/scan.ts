/**
 * Scans: ours beside the minimum that each runtime's sockets allow and beside other clients, on a farm of emulated servers on loopback.
 */
import { bench } from "../Bench.ts"
import { decodingLoops } from "../scan/clients.mjs"
import { lossy } from "../scan/lossy.mjs"
import { memory } from "../scan/memoryOfScan.mjs"
import { speed, warm } from "../scan/speed.mjs"

export default bench({
  title: "Scanning",
  about:
    "Sourcewire beside a loop on each runtime's sockets that reads only headers, and beside other clients, on one farm of emulated servers on loopback. Client and farm have one CPU each. Every run is a process of its own, after 1,000 servers that are not counted. Clients take turns; a run that other processes disturbed is repeated. Figures are medians; ratios are medians of the ratio in each round. On a busy machine ratios have differed by up to a fifth between runs. How a scan works: [ADR 5](../adr/0005-scanner.md).",
  options: { rounds: 5 },
  parts: ({ rounds }) => ({
    info: {
      title: "INFO from 10,000 servers",
      about:
        "Each server requires a challenge; no loss, no latency. Each client runs at the concurrency at which it is fastest.",
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
    warm: {
      title: "INFO from 50,000 servers, after as many that are not counted",
      about: "A program that scans all day: its code is compiled.",
      measure: () => warm(rounds)
    },
    all: {
      title: "INFO, 32 players and 120 rules in several fragments from 2,000 servers",
      about:
        "The raw loops read only headers unless they decode by hand; all other clients decode everything. `right` counts servers with all players and all rules.",
      measure: () =>
        speed({ rounds, workload: "D", n: 2000, candidates: [10, 25, 50], further: decodingLoops, least: 4 })
    },
    lossy: {
      title: "10 % dead, 1 % of datagrams lost in each direction, 50 ± 10 ms, 1,000 in flight",
      about:
        "Sourcewire with its default settings; the others with three attempts of one second, if they have attempts.",
      measure: () => lossy(rounds)
    },
    memory: {
      title: "Memory for a million targets, 95 % of them dead",
      about: "On Node, 10,000 in flight, 300 ms at most per target, one retransmission.",
      measure: memory
    }
  })
})
