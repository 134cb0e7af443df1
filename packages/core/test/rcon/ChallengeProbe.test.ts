import { assert, describe, it } from "@effect/vitest"
import { Step } from "../../src/engine/Exchange.ts"
import { PortClosed, SendFailed } from "../../src/engine/QueryError.ts"
import { BACKOFF_FACTOR, INITIAL_RTO_MS } from "../../src/Limits.ts"
import { ChallengeProbe, PROBES, probingMs } from "../../src/rcon/ChallengeProbe.ts"
import { bytes, connectionless } from "./oneCommand.ts"

const TIMEOUT_MS = 60_000

/** Creates a probe that sends its first request at 0 ms. */
const started = (): ChallengeProbe => {
  const probe = new ChallengeProbe(TIMEOUT_MS)
  assert.strictEqual(probe.start(0), Step.Send)
  return probe
}

const getResult = ({ result }: ChallengeProbe) => (result?._tag === "Success" ? result.success : undefined)

describe("a probe for a challenge", () => {
  it("sends its requests at growing intervals, and then reports `silence` if no reply arrives", () => {
    const probe = started()
    assert.deepStrictEqual(probe.packet, connectionless("challenge rcon\n\0"))
    assert.strictEqual(probe.deadline, INITIAL_RTO_MS)
    let sent = 1
    let now = 0
    while (probe.result === undefined) {
      now = probe.deadline
      if (probe.expire(now) === Step.Send) sent++
    }
    assert.strictEqual(sent, PROBES)
    assert.strictEqual(getResult(probe), "silence")
    assert.closeTo(now, INITIAL_RTO_MS * (1 + BACKOFF_FACTOR + BACKOFF_FACTOR ** 2), 1e-6)
    assert.closeTo(now, probingMs(TIMEOUT_MS), 1e-6)
    assert.strictEqual(probe.deadline, Number.POSITIVE_INFINITY)
    assert.strictEqual(probe.expire(now), Step.Done)
  })

  it.each(["challenge rcon 7\n\0", "9You have been banned from this server.\n\0", "lYou have been banned.\n\0"])(
    "accepts the reply %j",
    (text) => {
      const probe = started()
      assert.strictEqual(probe.receive(connectionless(text)), Step.Done)
      assert.strictEqual(getResult(probe), "answer")
    }
  )

  it("ignores datagrams that are not replies to a challenge request", () => {
    const probe = started()
    for (const noise of [bytes("noise"), connectionless("I\x11"), connectionless("j\0")]) {
      assert.strictEqual(probe.receive(noise), Step.Wait)
    }
    assert.isUndefined(probe.result)
  })

  it("reports `closed` if the port is closed, and `silence` if the request could not be sent", () => {
    const closed = started()
    closed.fail(new PortClosed({ message: "closed" }))
    assert.strictEqual(getResult(closed), "closed")
    const unsent = started()
    unsent.fail(new SendFailed({ message: "no route" }))
    assert.strictEqual(getResult(unsent), "silence")
    assert.strictEqual(unsent.receive(connectionless("challenge rcon 7\n\0")), Step.Done)
    assert.strictEqual(getResult(unsent), "silence")
  })
})
