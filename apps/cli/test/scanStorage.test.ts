/** Tests scans that resume from a checkpoint, and scans whose checkpoint cannot be written or belongs to another list. */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { objects, run, start } from "./runCli.ts"

let folder = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
})
afterEach(() => rm(folder, { recursive: true }))

const dead = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, i) => `127.79.0.${i}:9`)
const addressesIn = (stdout: string) => objects(stdout).map(({ address }) => address)
const lastLine = (stderr: string): string => stderr.trimEnd().split("\n").at(-1)!

/** Starts a scan, and interrupts the scan after the result of the target `at`. */
const interrupted = async (args: ReadonlyArray<string>, at: string) => {
  const running = start(args)
  await running.printed(`"${at}"`)
  running.child.kill("SIGINT")
  return running.ended
}

describe("a checkpoint", { timeout: 180_000 }, () => {
  it("is rejected and stays unchanged if it belongs to another list", async () => {
    const [list, checkpoint] = [join(folder, "servers.txt"), join(folder, "scan.json")]
    const args = [
      "scan",
      "--json",
      "--file",
      list,
      "--checkpoint",
      checkpoint,
      "--concurrency",
      "8",
      "--timeout",
      "300"
    ]
    await writeFile(list, dead(60).join("\n"))
    expect((await interrupted(args, dead(60)[20]!)).exitCode).toBe(130)
    const noted = await readFile(checkpoint, "utf8")
    await writeFile(list, dead(60).toReversed().join("\n"))
    const other = await run(args)
    expect(other).toMatchObject({ exitCode: 2, stdout: "" })
    expect(lastLine(other.stderr)).toMatch(
      /scan\.json cannot be resumed: of the \d+ targets .* are different.* Delete the checkpoint/
    )
    expect(await readFile(checkpoint, "utf8")).toBe(noted)
  })

  it("stores that a target failed, so that the resumed scan exits with 1 even if all remaining targets respond", async () => {
    await using world = new AsyncDisposableStack()
    const options = { transport: layer, profile: "css", host: "127.77.0.31" } as const
    const servers = await Promise.all(Array.from({ length: 20 }, () => startServer(options)))
    for (const server of servers) world.use(server)
    const living = servers.map(({ address, port }) => `${address}:${port}`)
    const [list, checkpoint] = [join(folder, "servers.txt"), join(folder, "scan.json")]
    const args = ["scan", "--json", "--file", list, "--checkpoint", checkpoint]
    await writeFile(list, ["no address", ...living].join("\n"))
    const one = await interrupted([...args, "--rate", "1"], "no address")
    expect(one.exitCode).toBe(130)
    expect(JSON.parse(await readFile(checkpoint, "utf8"))).toMatchObject({ failed: 1 })
    const two = await run(args)
    expect(objects(two.stdout).every(({ ok }) => ok === true)).toBe(true)
    expect([...addressesIn(one.stdout), ...addressesIn(two.stdout)].toSorted()).toEqual(
      [...living, "no address"].toSorted()
    )
    expect(two.exitCode).toBe(1)
    expect(existsSync(checkpoint)).toBe(false)
  })

  it("in a missing folder causes a warning at the start and at the end, but the scan completes", async () => {
    const args = ["scan", "--json", "--timeout", "300", "--checkpoint", join(folder, "gone", "scan.json"), ...dead(3)]
    const { exitCode, stderr, stdout } = await run(args)
    expect(addressesIn(stdout).toSorted()).toEqual(dead(3).toSorted())
    expect(stderr.split("\n")[0]).toMatch(
      /^The checkpoint .*scan\.json cannot be written \(.*ENOENT.* The scan continues\.$/
    )
    expect(lastLine(stderr)).toMatch(/^The scan is complete\. .*scan\.json could not be written \(.*ENOENT/)
    expect(stderr).not.toContain("    at ")
    expect(exitCode).toBe(1)
  })
})

const unshare = process.platform === "linux" ? externalProgram("unshare", "util-linux") : undefined
const canMount =
  unshare !== undefined && spawnSync(unshare, ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

describe.runIf(canMount)("a checkpoint on a faulty disk", { timeout: 180_000 }, () => {
  /** Returns options for `run` or `start`. The commands mount a file system in `folder` that only the program can see. */
  const on = (...commands: ReadonlyArray<string>) => ({
    through: [unshare!, "--mount", "sh", "-c", `${commands.join(" && ")} && exec "$@"`, "sh"]
  })

  it.each([
    ["ENOSPC", `mount -t tmpfs -o size=8k none FOLDER`, `{ cat /dev/zero > FOLDER/full || true; } 2> /dev/null`],
    ["EROFS", `mount -t tmpfs -o ro none FOLDER`]
  ])(
    "causes a warning about %s; the scan continues, and reports how many targets are missing in the checkpoint",
    async (code, ...commands) => {
      await using server = await startServer({ transport: layer, profile: "css", host: "127.77.0.32" })
      const living = `${server.address}:${server.port}`
      const world = on(...commands.map((command) => command.replace("FOLDER", folder)))
      const args = ["scan", "--json", "--timeout", "300", "--checkpoint", join(folder, "scan.json")]
      const whole = await run([...args, living], world)
      expect(addressesIn(whole.stdout)).toEqual([living])
      expect(whole.stderr.split("\n")[0]).toMatch(new RegExp(`cannot be written \\(.*${code}\\]\\)`))
      expect(lastLine(whole.stderr)).toMatch(`The scan is complete. `)
      expect(whole.exitCode).toBe(1)
      const cut = start([...args, "--concurrency", "1", living, ...dead(200)], world)
      await cut.printed(living)
      cut.child.kill("SIGINT")
      const { exitCode, stderr } = await cut.ended
      expect(lastLine(stderr)).toMatch(/could not be written .*: \d+ completed targets? (is|are) missing from it\.$/)
      expect(stderr).not.toContain("    at ")
      expect(exitCode).toBe(130)
    }
  )
})
