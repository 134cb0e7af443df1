/** The test that comes last: it runs those before it as it is asked, with one change after the other, until it is told that there are no more. */
import { it } from "vitest"
import { CHANNEL, type Question } from "./channel.ts"
import { runAgain, tryAll } from "./collectingRunner.ts"

it("serves", { timeout: 2 ** 31 - 1 }, async () => {
  const channel = new BroadcastChannel(CHANNEL)
  const asked: Array<Question> = []
  let wake = (): void => {}
  channel.addEventListener("message", (event) => {
    const { data } = event as Event & { readonly data: Question }
    asked.push(data)
    wake()
  })
  channel.postMessage("ready")
  for (;;) {
    const next = asked.shift()
    if (next === undefined) await new Promise<void>((resolve) => (wake = resolve))
    else if (next.kind === "end") break
    else channel.postMessage(await (next.kind === "run" ? runAgain(next) : tryAll()))
  }
  channel.close()
})
