import { scan } from "@sourcewire/transport-node"
const targets = Array.from({ length: 10000 }, (_, i) => `127.100.${i >> 8}.${i & 255}:17999`)
const query = process.argv[2] as "info" | "all"
const times = { 1: [], 2: [] } as Record<number, Array<number>>
const n = query === "all" ? 1500 : 10000
for (let r = 0; r < 4; r++)
  for (const threads of [1, 2]) {
    const t = performance.now()
    let ok = 0
    for await (const b of scan(targets.slice(0, n), query, { threads, timeoutMs: 1000 }).batches())
      for (const x of b) if (x._tag === "Answered") ok++
    times[threads]!.push(Math.round(performance.now() - t))
    if (ok < n) console.log(threads, "lost", n - ok)
  }
console.log(query, JSON.stringify(times), Math.round(process.memoryUsage().rss / 1e6))
