/**
 * Compares our scan with scans by other clients, and with a minimal loop over the sockets of each runtime. All clients and loops scan a
 * farm of emulated servers on loopback.
 */
import { bench } from "../Bench.ts"
import { decodingLoops } from "../scan/clients.mjs"
import { lossy } from "../scan/lossy.mjs"
import { memory } from "../scan/memoryOfScan.mjs"
import { speed, warm } from "../scan/speed.mjs"

export default bench({
  title: "Scanning",
  about:
    "This benchmark compares Sourcewire with other clients, and with raw loops (*raw*). A raw loop uses the sockets of a runtime directly. Most raw loops read only the headers of the replies. All clients query the same farm of emulated servers on loopback. The client and the farm have one CPU each. Each run is a separate process. Before the measurement, each client except qstat queries 1,000 servers as a warm-up, if the part states no other number. The last two parts have no warm-up. The clients take turns; if other processes disturb a run, it is repeated. The figures are medians, and each ratio is the median of the ratios of all rounds. When the benchmark was repeated on a busy machine, the ratios of the repetitions differed by up to a fifth. How a scan works: [ADR 5](../adr/0005-scanner.md).",
  options: { rounds: 5 },
  parts: ({ rounds }) => ({
    info: {
      title: "INFO from 10,000 servers",
      about:
        "Each server requires a challenge. The network has no loss and no latency. Each client runs at the concurrency at which it is fastest.",
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
      title: "INFO from 50,000 servers, in a process that has queried 50,000 before",
      about:
        "If a program scans all day, the runtime compiles the hot code after some time. To measure compiled code, each process queries 50,000 servers as a warm-up before the measurement.",
      measure: () => warm(rounds)
    },
    all: {
      title: "INFO, 32 players and 120 rules in several fragments from 2,000 servers",
      about:
        "Raw loops with the note *decoding by hand* decode all replies. The other raw loops read only headers. All other clients decode the complete replies. The column *right* counts the servers for which the client returned all players and rules.",
      measure: () =>
        speed({ rounds, workload: "D", n: 2000, candidates: [10, 25, 50], further: decodingLoops, least: 4 })
    },
    lossy: {
      title: "10 % dead, 1 % of datagrams lost in each direction, 50 ± 10 ms, 1,000 in flight",
      about:
        "Sourcewire has its default settings. The other clients send a request up to three times, if they support retries, and wait one second for a reply each time.",
      measure: () => lossy(rounds)
    },
    memory: {
      title: "Memory for a million targets, 95 % of them dead",
      about:
        "The scan runs on Node with 10,000 targets in flight. The timeout is 300 ms, and each request is retransmitted at most once.",
      measure: memory
    }
  })
})
