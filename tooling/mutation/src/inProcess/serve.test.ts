/**
 * The test that comes last: it tells how those before it went, and then runs them again, with one change after the other, until it is
 * told that there are no more.
 */
import { it } from "vitest"
import type { End, Ready, Run } from "./channel.ts"
import { CHANNEL } from "./channel.ts"
import { coverage, ran, runAgain } from "./collectingRunner.ts"

it("serves", { timeout: 2 ** 31 - 1 }, async () => {
  const channel = new BroadcastChannel(CHANNEL)
  const asked: Array<Run | End> = []
  let wake = (): void => {}
  channel.addEventListener("message", (event) => {
    const { data } = event as Event & { readonly data: Run | End | Ready }
    if (data.kind !== "run" && data.kind !== "end") return
    asked.push(data)
    wake()
  })
  channel.postMessage({ kind: "ready", tests: ran(), coverage: coverage() })
  for (;;) {
    const next = asked.shift()
    if (next === undefined) await new Promise<void>((resolve) => (wake = resolve))
    else if (next.kind === "end") break
    else channel.postMessage(await runAgain(next))
  }
  channel.close()
})
