/**
 * Checks the recipes of docs/how-to/check-server-health.md and check-linuxgsm-servers.md. The recipes must be valid, and their commands
 * must distinguish servers that reply from servers that do not reply.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { Pod } from "kubernetes-models/v1"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { program, run, start } from "./runCli.ts"

const page = readFileSync(new URL("../../../docs/how-to/check-server-health.md", import.meta.url), "utf8")
const blocks = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!)

const analyze = externalProgram("systemd-analyze", "systemd")
const directory = mkdtempSync(join(tmpdir(), "sourcewire-recipes-"))
afterAll(() => rmSync(directory, { recursive: true }))

interface Probe {
  readonly exec: { readonly command: ReadonlyArray<string> }
}
interface Container {
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

const [compose, pod] = blocks("yaml").map((text) => parse(text) as never) as unknown as readonly [
  { readonly services: { readonly game: { readonly healthcheck: { readonly test: ReadonlyArray<string> } } } },
  { readonly spec: { readonly containers: readonly [Container] } }
]
const [container] = pod.spec.containers
const units = new Map(blocks("ini").map((text) => [/^# \/etc\/systemd\/system\/(\S+)/.exec(text)![1]!, text]))

const commands: Readonly<Record<string, ReadonlyArray<string>>> = {
  HEALTHCHECK: JSON.parse(/CMD (\[.*\])/.exec(blocks("dockerfile")[0]!)![1]!) as ReadonlyArray<string>,
  "the Compose file": compose.services.game.healthcheck.test.slice(1),
  "the startup probe": container.startupProbe.exec.command,
  "the liveness probe": container.livenessProbe.exec.command,
  "the readiness probe": container.readinessProbe.exec.command,
  "the systemd unit": /ExecStart=\/usr\/local\/bin\/(.*)/.exec(units.get("gameserver-health.service")!)![1]!.split(" ")
}

describe.each(Object.entries(commands))("the command of %s", (_, [name, ...words]) => {
  it("exits with 0 only if the server replies", async () => {
    expect(name).toBe("sourcewire")
    await using server = await startServer({ transport: layer, profile: profiles.css() })
    const env = { TMPDIR: mkdtempSync(join(directory, "tmp-")) }
    const state = join(env.TMPDIR, "state.json")
    const check = async (where: string) =>
      (
        await run(
          words.map((word) => word.replace("127.0.0.1:27015", where).replace(/^\/run\/.*/, state)),
          { env }
        )
      ).exitCode
    expect(await check("127.0.0.1:1")).toBe(words.includes("--start-grace") ? 4 : 1)
    expect(await check(`127.0.0.1:${server.port}`)).toBe(0)
  })
})

describe("the recipes", () => {
  it("contain a valid Kubernetes Pod", () => {
    expect(() => new Pod(pod as never).validate()).not.toThrow()
  })

  it.skipIf(analyze === undefined)("contain valid systemd units", () => {
    for (const [file, text] of units) {
      writeFileSync(
        join(directory, file),
        text.replace(
          /\/srv\/gameserver\/start\.sh|\/usr\/local\/bin\/sourcewire|\/usr\/bin\/systemctl/g,
          process.execPath
        )
      )
    }
    const files = [...units.keys()].map((file) => join(directory, file))
    expect(files).toHaveLength(4)
    const { status, stderr } = spawnSync(analyze!, ["--man=no", "verify", ...files], {
      encoding: "utf8",
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` }
    })
    // The output may also contain errors of other units on this machine. The test checks only the errors of the recipe's units.
    expect(stderr.split("\n").filter((line) => /gameserver/.test(line))).toEqual([])
    expect(status).toBe(0)
  })

  it("contain a script that reports whether a server is starting or down", async () => {
    const script = blocks("sh").find((text) => text.includes("case $?"))!
    const [bin, mailed] = [mkdtempSync(join(directory, "bin-")), join(directory, "mailed")]
    const executable = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    executable("sourcewire", `exec ${program.map((word) => `'${word}'`).join(" ")} "$@"`)
    executable("mail", `cat > '${mailed}'`)
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: bin }
    const starting = spawnSync("sh", ["-c", script.replace("192.0.2.7:27015", "127.0.0.1:1")], {
      env,
      encoding: "utf8"
    })
    expect(starting.stdout).toMatch(/is starting: [^]*\nstarting\n$/)
    const down = spawnSync(
      "sh",
      ["-c", script.replace("192.0.2.7:27015", "127.0.0.1:1").replace("--start-grace 10m", "")],
      { env }
    )
    expect(down.status).toBe(0)
    expect(readFileSync(mailed, "utf8")).toBe("192.0.2.7 is down\n")
  })
})

describe("the script for LinuxGSM", () => {
  const linuxGsm = readFileSync(new URL("../../../docs/how-to/check-linuxgsm-servers.md", import.meta.url), "utf8")
  const script = /```sh\n( *#!\/bin\/sh\n[^]*?)```/.exec(linuxGsm)![1]!.replaceAll(/^ {3}/gm, "")

  /**
   * Returns whether the script restarts a server at this address. `startedMin` is the number of minutes since the start of the server, or
   * `undefined` if the server is stopped.
   */
  const restarts = async (address: string, startedMin: number | undefined): Promise<boolean> => {
    const home = mkdtempSync(join(directory, "linuxgsm-"))
    const lock = join(home, "lgsm/lock/gmodserver-started.lock")
    mkdirSync(join(home, "lgsm/lock"), { recursive: true })
    if (startedMin !== undefined) {
      writeFileSync(lock, "")
      const at = Date.now() / 1000 - startedMin * 60
      utimesSync(lock, at, at)
    }
    const executable = (name: string, text: string): void => {
      writeFileSync(join(home, name), text)
      chmodSync(join(home, name), 0o755)
    }
    executable("sourcewire", `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`)
    executable("gmodserver", "#!/bin/sh\ntouch $1ed\n")
    executable("check-server.sh", script.replace("127.0.0.1:27015", address))
    const env = { HOME: home, TMPDIR: home, PATH: `${home}:${process.env["PATH"]}` }
    // The script must run without blocking this process, because the emulated server runs in this process.
    const { ended } = start([], {
      through: [
        "env",
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        "sh",
        "-c",
        "$HOME/check-server.sh"
      ]
    })
    await ended
    return existsSync(join(home, "restarted"))
  }

  it("restarts a server that does not reply, unless the server is stopped or has just started", async () => {
    await using server = await startServer({ transport: layer, profile: profiles.css() })
    expect(await restarts("127.0.0.1:1", 11)).toBe(true)
    expect(await restarts("127.0.0.1:1", 5)).toBe(false)
    expect(await restarts("127.0.0.1:1", undefined)).toBe(false)
    expect(await restarts(`127.0.0.1:${server.port}`, 11)).toBe(false)
  })
})
