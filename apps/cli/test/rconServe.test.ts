import { describe, expect, it, onTestFinished } from "vitest"
import { env, file, PASSWORD } from "./rconServers.ts"
import { type Running, type RunOptions, objects, run, start } from "./runCli.ts"

const listening = async (serving: Running): Promise<Record<string, unknown>> => {
  await serving.printed("\n")
  return objects(serving.output().stdout)[0]!
}

const stop = (serving: Running) => {
  serving.child.kill("SIGINT")
  return serving.ended
}

/** Starts `serve`, which runs until the end of the test. */
const serve = (args: ReadonlyArray<string>, options?: RunOptions): Running => {
  const serving = start(["serve", "--json", "--port", "0", ...args], options)
  onTestFinished(() => void stop(serving))
  return serving
}

describe("serve with RCON", () => {
  it.each([
    ["css", [], "source", ["source"]],
    ["cs16", [], "goldsource", ["goldsource"]],
    ["xash3d", [], "quake", ["quake"]],
    ["hltv", [], "goldsource", ["goldsource", "auto"]],
    ["css", ["--rcon-engine", "goldsource"], "goldsource", ["goldsource"]],
    ["cs16", ["--rcon-engine", "both"], "both", ["source", "goldsource"]]
  ])(
    "with the profile %s and the flags %j, replies to RCON commands and to queries",
    async (profile, flags, rcon, engines) => {
      await using secret = await file(`${PASSWORD}\n`)
      const serving = serve(["--profile", profile, "--rcon-password-file", secret.path, ...flags])
      const line = await listening(serving)
      expect(line).toEqual({ listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/), profile, rcon })
      const where = String(line["listening"])
      for (const engine of engines) {
        const answered = await run(["rcon", where, "--json", "--engine", engine, "echo in"], { env })
        expect(objects(answered.stdout)).toMatchObject([
          { ok: true, engine: engine === "auto" ? rcon : engine, response: expect.stringMatching(/^in ?\n$/) }
        ])
      }
      // HLTV and Quake engines do not reply to a wrong password. Therefore a client can only time out.
      const isSilent = rcon === "quake" || profile === "hltv"
      const patience = isSilent ? ["--timeout", "1000"] : []
      const wrong = await run(["rcon", where, ...patience, "echo in"], { env: { SOURCEWIRE_RCON_PASSWORD: "wrong" } })
      const info = await run(["info", "--json", where])
      expect(objects(info.stdout)).toMatchObject([{ ok: true }])
      expect([wrong.exitCode, info.exitCode]).toEqual([isSilent ? 1 : 3, 0])
      const { stderr, stdout } = await stop(serving)
      expect(stdout + stderr).not.toMatch(/sesame/)
    }
  )

  it("emulates the commands of HLTV, including commands with an empty reply", async () => {
    const serving = serve(["--profile", "hltv"], { env })
    const where = String((await listening(serving))["listening"])
    const commands = ["status", "delay 12", "say hello", "delay", "nosuch"].flatMap((command) => ["-e", command])
    const { exitCode, stdout } = await run(["rcon", where, "--json", ...commands], { env })
    await stop(serving)
    expect(objects(stdout)).toMatchObject([
      { ok: true, response: expect.stringMatching(/^--- HLTV Status ---\n/) },
      { ok: true, response: "" },
      { ok: true, response: "" },
      { ok: true, response: "Syntax: delay <seconds>\nCurrent spectator delay is 12.0 seconds.\n" },
      { ok: true, response: 'WARNING! System::DispatchCommand: command "nosuch" not registered.\n' }
    ])
    expect(exitCode).toBe(0)
  })

  it("reads the password from the environment, and replies to the handshake", async () => {
    const serving = serve(["--rcon-engine", "both"], { env })
    const line = await listening(serving)
    expect(line).toMatchObject({ rcon: "both" })
    const { exitCode } = await run(["handshake", "--json", String(line["listening"])])
    await stop(serving)
    expect(exitCode).toBe(0)
  })

  it("rejects --rcon-engine without a password", async () => {
    const { exitCode, stderr, stdout } = await run(["serve", "--port", "0", "--rcon-engine", "source"])
    expect(stderr).toMatch(/--rcon-engine requires a password/)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  })

  it("on a public address, warns that the password is sent unencrypted", async () => {
    const serving = serve(["--bind", "0.0.0.0"], { env })
    await listening(serving)
    expect((await stop(serving)).stderr).toMatch(/sends the password unencrypted/)
  })
})
