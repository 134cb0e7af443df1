/**
 * A scan in threads; but for its import line the same on every runtime. Prints what each number of threads has found, then leaves one
 * that would go on for ever.
 *
 *     threadedScan <target> …
 *
 * @module
 */
import { scan } from "@sourcewire/transport-node"

const targets = process.argv.slice(2)

for (const threads of [1, 2, 4]) {
  const lines: Array<string> = []
  const onDuplicate = (): unknown => lines.push("a duplicate")
  for await (const result of scan(targets, "all", { threads, timeoutMs: 500, onDuplicate })) {
    const { _tag, target } = result
    if (result._tag === "Answered") {
      const { info, players, rules } = result
      const id = info._tag === "InfoReply" ? typeof info.steamId : ""
      lines.push([_tag, target, id, JSON.stringify({ info, players, rules })].join(" "))
    } else lines.push([_tag, target, result.error._tag, result.error instanceof Error].join(" "))
  }
  console.log(JSON.stringify(lines.toSorted()))
}

async function* silence(): AsyncGenerator<string> {
  for (let i = 0; ; i++) yield `127.9.${(i >> 8) & 255}.${i & 255}:9`
}
for await (const { target } of scan(silence(), "info", { threads: 2, timeoutMs: 200 })) {
  console.log(typeof target)
  break
}
