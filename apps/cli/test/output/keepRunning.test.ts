/** Checks that a proxy continues to run if its output cannot be written or is not read. */
import { execFileSync } from "node:child_process"
import { closeSync, constants, openSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import * as net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { objects, type Running, type RunOptions, start } from "../runCli.ts"

// The tests start many programs, and the machine may be busy. Therefore the time limit is long.
vi.setConfig({ testTimeout: 180_000 })

/** A Linux device that behaves like a full disk. */
const FULL = "/dev/full"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 20 })

/** Starts a proxy with metrics. No game server listens at the upstream address of the proxy. */
const proxying = async (options?: RunOptions) => {
  const args = ["--upstream", "127.0.0.1:1", "--bind", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
  const proxy = start(["proxy", "--json", ...args], options)
  closing.push(() => proxy.child.kill("SIGKILL"))
  await proxy.printed('"upstream"')
  return { proxy, metrics: String(objects(proxy.output().stdout)[0]!["metrics"]) }
}

const linesLost = async (metrics: string): Promise<number> =>
  Number(/^sourcewire_proxy_log_lines_lost_total (\d+)$/m.exec(await (await fetch(metrics)).text())![1])

/** Sends SIGHUP to the proxy. After this signal, the proxy writes a line to its log. */
const provoke = ({ child }: Running): void => void child.kill("SIGHUP")

const endedBySigterm = async (proxy: Running) => {
  proxy.child.kill("SIGTERM")
  return (await proxy.ended).exitCode
}

const namedPipe = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-log-"))
  closing.push(() => rm(directory, { recursive: true }))
  const pipe = join(directory, "log")
  execFileSync("mkfifo", [pipe])
  return pipe
}

/** Reads from a pipe until `close` is called. */
const reading = (pipe: string) => {
  const socket = new net.Socket({ fd: openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
  const reader = { text: "", close: () => void socket.destroy() }
  socket.setEncoding("utf8").on("data", (chunk: string) => (reader.text += chunk))
  closing.push(reader.close)
  return reader
}

describe.skipIf(process.platform !== "linux")("a proxy", () => {
  it("continues when its log is on a full disk, and counts lost lines", async () => {
    const full = openSync(FULL, "w")
    closing.push(() => closeSync(full))
    const { metrics, proxy } = await proxying({ stderrTo: full })
    const lost = await linesLost(metrics)
    expect(lost).toBeGreaterThan(0)
    provoke(proxy)
    await until(async () => (await linesLost(metrics)) > lost)
    expect(await endedBySigterm(proxy)).toBe(0)
  })

  it("continues when the reader of its log exits, and reports lost lines to the next reader", async () => {
    const pipe = await namedPipe()
    const first = reading(pipe)
    const log = openSync(pipe, "w")
    const { metrics, proxy } = await proxying({ stderrTo: log })
    closeSync(log)
    await until(() => first.text.includes("replies for"))
    expect(await linesLost(metrics)).toBe(0)
    first.close()
    await until(async () => {
      provoke(proxy)
      return (await linesLost(metrics)) >= 2
    })
    const second = reading(pipe)
    await until(() => /warn \d+ lines of this log could not be written\n/.test(second.text))
    provoke(proxy)
    await until(() => second.text.includes("info SIGHUP received, but there is no --config file"))
    expect(await endedBySigterm(proxy)).toBe(0)
  })

  it("continues when the pipe of its log is closed", async () => {
    const { metrics, proxy } = await proxying()
    proxy.child.stderr!.destroy()
    await until(async () => {
      provoke(proxy)
      return (await linesLost(metrics)) > 0
    })
    expect(await endedBySigterm(proxy)).toBe(0)
  })

  it("continues when it cannot print its address, and logs the reason", async () => {
    const full = openSync(FULL, "w")
    closing.push(() => closeSync(full))
    const proxy = start(["proxy", "--upstream", "127.0.0.1:1", "--bind", "127.0.0.1:0"], { stdoutTo: full })
    closing.push(() => proxy.child.kill("SIGKILL"))
    await until(() =>
      proxy.output().stderr.includes("cannot print where the program listens: the disk is full [ENOSPC]")
    )
    provoke(proxy)
    await until(() => proxy.output().stderr.includes("SIGHUP"))
    expect(await endedBySigterm(proxy)).toBe(0)
  })
})
