/** Tests the checkpoint of a scan, in memory and in a file. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Surface } from "../../src/output/output.ts"
import { Checkpoint, OtherTargets } from "../../src/scan/checkpoint.ts"
import { checkpointFile, loadCheckpoint } from "../../src/scan/checkpointFile.ts"
import type { TargetPlan } from "../../src/scan/targets.ts"

const plan: TargetPlan = { ranges: [], addresses: ["a"], files: [], port: 27_015, shard: undefined }
const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, i) => `10.0.0.${i}`)

const iterate = async function* (targets: ReadonlyArray<string>) {
  yield* targets
}

/** Returns all remaining targets of the checkpoint. */
const listRest = async (checkpoint: Checkpoint, targets: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const rest: Array<string> = []
  for await (const target of checkpoint.rest(iterate(targets))) rest.push(target)
  return rest
}

/** Restores a checkpoint from its text, as the next run of the scan does. */
const resumed = ({ text }: { text: () => string }): Checkpoint =>
  Result.getOrThrow(Checkpoint.from(text(), plan, "info"))

describe("a checkpoint", () => {
  it("returns exactly the remaining targets when the scan resumes", async () => {
    const first = Checkpoint.fresh(plan, "info")
    expect([first.isResumed, first.isCaughtUp, first.finished]).toEqual([false, true, 0])
    await listRest(first, names(10))
    for (const i of [0, 1, 2, 5, 7]) first.finish(`10.0.0.${i}`)
    first.answered = 4
    first.failed = 1
    const second = resumed({ text: () => first.text() })
    expect(second).toMatchObject({ isResumed: true, isCaughtUp: false, finished: 5, answered: 4, failed: 1 })
    expect(await listRest(second, names(10))).toEqual([3, 4, 6, 8, 9].map((i) => `10.0.0.${i}`))
    expect(second).toMatchObject({ isCaughtUp: true, finished: 5 })
  })

  it("ensures that each target is completed exactly once, even if the scan is interrupted several times", async () => {
    const all = names(40)
    for (let readAtMost = 0; readAtMost < 40; readAtMost += 3) {
      const asked: Array<string> = []
      let text = Checkpoint.fresh(plan, "info").text()
      for (let run = 0; run < 60 && !(run > 0 && asked.length >= 40); run++) {
        const checkpoint = resumed({ text: () => text })
        const begun: Array<string> = []
        for await (const target of checkpoint.rest(iterate(all))) {
          begun.push(target)
          // Every second target has a result when the scan is interrupted.
          if (begun.length % 2 === 1) {
            checkpoint.finish(target)
            asked.push(target)
          }
          if (begun.length > readAtMost) break
        }
        text = checkpoint.text()
      }
      expect(asked.toSorted()).toEqual([...all].toSorted())
    }
  })

  it("does not mark a target as completed if the target could not be queried", async () => {
    const first = Checkpoint.fresh(plan, "info")
    await listRest(first, names(5))
    for (const i of [0, 1, 3]) first.finish(`10.0.0.${i}`)
    for (const i of [2, 4]) first.leave(`10.0.0.${i}`)
    expect(first).toMatchObject({ finished: 3, leftOpen: 2 })
    const second = resumed({ text: () => first.text() })
    expect(await listRest(second, names(5))).toEqual(["10.0.0.2", "10.0.0.4"])
    second.finish("10.0.0.2")
    second.finish("10.0.0.4")
    expect(second).toMatchObject({ finished: 5, leftOpen: 0 })
  })

  it("accepts a list to which new targets were added at the end", async () => {
    const first = Checkpoint.fresh(plan, "info")
    await listRest(first, names(3))
    for (const name of names(3)) first.finish(name)
    expect(await listRest(resumed({ text: () => first.text() }), names(5))).toEqual(["10.0.0.3", "10.0.0.4"])
  })

  it.each([
    ["reversed", names(10).toReversed()],
    ["shorter", names(9)],
    ["without its first target", names(11).slice(1)],
    ["different in one target", [...names(4), "10.9.9.9", ...names(10).slice(5)]],
    ["longer at its start", ["10.9.9.9", ...names(10)]],
    ["empty", []]
  ])("is rejected before the first query if the list is %s", async (_, targets) => {
    const first = Checkpoint.fresh(plan, "info")
    await listRest(first, names(10))
    first.finish("10.0.0.9")
    const second = resumed({ text: () => first.text() })
    const asked: Array<string> = []
    const asking = (async () => {
      for await (const target of second.rest(iterate(targets))) asked.push(target)
    })()
    await expect(asking).rejects.toBeInstanceOf(OtherTargets)
    expect([asked, second.isCaughtUp]).toEqual([[], false])
  })

  it("returns a target only once, even if the list contains the target twice", async () => {
    const checkpoint = Checkpoint.fresh(plan, "info")
    expect(await listRest(checkpoint, ["10.0.0.1", "10.0.0.1", "10.0.0.2"])).toEqual(["10.0.0.1", "10.0.0.2"])
    checkpoint.finish("10.0.0.1")
    checkpoint.finish("10.0.0.2")
    expect(checkpoint.finished).toBe(3)
  })

  it("is rejected if it belongs to another scan or is damaged", () => {
    const text = Checkpoint.fresh(plan, "info").text()
    expect(Result.isSuccess(Checkpoint.from(text, plan, "info"))).toBe(true)
    const others = [
      { ...plan, addresses: ["b"] },
      { ...plan, files: ["list"] },
      { ...plan, port: 27_016 },
      { ...plan, shard: { index: 1, count: 2 } },
      { ...plan, ranges: [{ family: 4, first: 1n, prefix: 32 }] }
    ] as ReadonlyArray<TargetPlan>
    const refusals = [
      Checkpoint.from(text, plan, "rules"),
      ...others.map((other) => Checkpoint.from(text, other, "info"))
    ]
    for (const refusal of refusals) expect(Result.isFailure(refusal) && refusal.failure).toContain("other targets")
    const saved = JSON.parse(text) as object
    const damaged = ["{}", "[1", "", JSON.stringify({ ...saved, version: 1 }), JSON.stringify({ ...saved, open: [-1] })]
    for (const broken of damaged) {
      const refusal = Checkpoint.from(broken, plan, "info")
      expect(Result.isFailure(refusal) && refusal.failure).toContain("not a checkpoint")
    }
  })
})

describe("the checkpoint file", () => {
  const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
    try {
      await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const listen = () => {
    const printed: Array<string> = []
    const err = { line: (...lines: ReadonlyArray<string>) => Effect.sync(() => void printed.push(...lines)) }
    return { printed, err: err as unknown as Surface }
  }
  const load = (name: string) => Effect.runPromise(loadCheckpoint(name, plan, "info"))

  it("is written, read and deleted", () =>
    inFolder(async (folder) => {
      const { err, printed } = listen()
      const name = join(folder, "scan.json")
      const first = await load(name)
      await listRest(first.checkpoint, names(4))
      first.checkpoint.finish("10.0.0.2")
      await Effect.runPromise(first.save(err))
      const second = await load(name)
      expect(await listRest(second.checkpoint, names(4))).toEqual(["10.0.0.0", "10.0.0.1", "10.0.0.3"])
      expect(await Effect.runPromise(second.end(true, err))).toEqual([])
      expect(existsSync(name)).toBe(false)
      expect(printed).toEqual([])
    }))

  it("stays unchanged if the resumed scan does not reach the position of the previous run", () =>
    inFolder(async (folder) => {
      const { err } = listen()
      const name = join(folder, "scan.json")
      const first = await load(name)
      await listRest(first.checkpoint, names(4))
      await Effect.runPromise(first.save(err))
      const text = await readFile(name, "utf8")
      const second = await load(name)
      await Effect.runPromise(second.save(err))
      await Effect.runPromise(second.end(false, err))
      expect(await readFile(name, "utf8")).toBe(text)
    }))

  it("is kept at the end of the scan if some targets could not be queried", () =>
    inFolder(async (folder) => {
      const { err } = listen()
      const name = join(folder, "scan.json")
      const { checkpoint, end } = await load(name)
      await listRest(checkpoint, names(2))
      checkpoint.finish("10.0.0.0")
      checkpoint.leave("10.0.0.1")
      expect(await Effect.runPromise(end(true, err))).toEqual([])
      expect(await listRest((await load(name)).checkpoint, names(2))).toEqual(["10.0.0.1"])
    }))

  it("causes one warning if it cannot be written; when the scan ends, the scan reports how many completed targets are missing in the file", () =>
    inFolder(async (folder) => {
      const { err, printed } = listen()
      const file = await load(join(folder, "gone", "scan.json"))
      await Effect.runPromise(file.save(err))
      await listRest(file.checkpoint, names(4))
      for (const name of names(3)) file.checkpoint.finish(name)
      await Effect.runPromise(file.save(err))
      expect(printed).toEqual([
        expect.stringMatching(/^The checkpoint .* cannot be written \(.*ENOENT\]\)\. The scan continues\.$/)
      ])
      expect(await Effect.runPromise(file.end(false, err))).toEqual([
        expect.stringMatching(/could not be written \(.*ENOENT\]\): 3 completed targets are missing from it\.$/)
      ])
      file.checkpoint.finish("10.0.0.3")
      await mkdir(join(folder, "gone"))
      await Effect.runPromise(file.save(err))
      expect(await Effect.runPromise(file.end(false, err))).toEqual([])
      expect(printed.length).toBe(1)
    }))

  it("causes a warning that does not count the completed targets of an earlier run, because the file contains them", () =>
    inFolder(async (folder) => {
      const { err } = listen()
      const gone = join(folder, "gone")
      await mkdir(gone)
      const name = join(gone, "scan.json")
      const first = await load(name)
      await listRest(first.checkpoint, names(4))
      for (const target of names(3)) first.checkpoint.finish(target)
      await Effect.runPromise(first.save(err))
      const second = await load(name)
      await rm(gone, { recursive: true })
      await listRest(second.checkpoint, names(4))
      second.checkpoint.finish("10.0.0.3")
      expect(await Effect.runPromise(second.end(false, err))).toEqual([
        expect.stringMatching(/could not be written \(.*ENOENT\]\): 1 completed target is missing from it\.$/)
      ])
    }))

  it("causes a message at the end of a complete scan if the file could not be written or deleted", () =>
    inFolder(async (folder) => {
      const { err } = listen()
      const unwritten = await load(join(folder, "gone", "scan.json"))
      await Effect.runPromise(unwritten.save(err))
      expect(await Effect.runPromise(unwritten.end(true, err))).toEqual([
        expect.stringContaining("The scan is complete. ")
      ])
      const folderName = join(folder, "folder.json")
      const undeleted = checkpointFile(folderName, Checkpoint.fresh(plan, "info"))
      await mkdir(folderName)
      expect(await Effect.runPromise(undeleted.end(true, err))).toEqual([
        expect.stringContaining("could not be deleted")
      ])
    }))

  it("prevents the start of the scan if the file is invalid or cannot be read", () =>
    inFolder(async (folder) => {
      const name = join(folder, "scan.json")
      await writeFile(name, "{}")
      const exits = [name, folder].map((file) => Effect.runPromiseExit(loadCheckpoint(file, plan, "info")))
      for (const exit of await Promise.all(exits)) expect(Exit.isFailure(exit)).toBe(true)
      expect(await readFile(name, "utf8")).toBe("{}")
    }))
})
