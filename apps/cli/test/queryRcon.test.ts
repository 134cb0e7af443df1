/**
 * Tests `query --rcon` and `rcon HOST status --json`. Both commands read the list of players from the console. This list contains details
 * that A2S replies do not contain.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { env, file, PASSWORD, serveRcon } from "./rconServers.ts"
import { objects, run } from "./runCli.ts"

/** Starts a server whose A2S replies contain no names of players, and a console on the port of this server. */
const serveBoth = async () => {
  const console_ = await serveRcon("source")
  const profile = profiles.css()
  const { players } = profile
  if (typeof players !== "object") throw new Error("the profile has no players of its own")
  const hidden = { ...players, players: players.players.map((player) => ({ ...player, name: "" })) }
  const server = await startServer({
    transport: layer,
    port: console_.local.port,
    profile: { ...profile, players: hidden }
  })
  return {
    where: console_.where,
    names: players.players.map(({ name }) => name),
    commands: console_.commands,
    [Symbol.asyncDispose]: async () => {
      await server.close()
      await console_.close()
    }
  }
}

interface Listed {
  readonly name: string
  readonly steamId?: string
  readonly ping: number
  readonly sources: Readonly<Record<string, string>>
}

describe("query --rcon", () => {
  it("adds names, SteamIDs and pings from the console, and reports the source of each value", async () => {
    await using server = await serveBoth()
    await using secret = await file(`${PASSWORD}\n`)
    const [plain, json, human] = await Promise.all([
      run(["query", "--json", server.where], { env }),
      run(["query", "--json", server.where, "--rcon", "--password-file", secret.path]),
      run(["query", server.where, "--rcon"], { env })
    ])
    expect([plain.exitCode, json.exitCode, human.exitCode]).toEqual([0, 0, 0])
    expect(objects(plain.stdout)[0]).not.toHaveProperty("roster")
    const [line] = objects(json.stdout)
    const roster = line!["roster"] as ReadonlyArray<Listed>
    expect(roster.map(({ name }) => name)).toEqual(server.names)
    expect(roster[0]).toMatchObject({
      steamId: "76561197960267728",
      ping: 15,
      sources: { name: "rcon", steamId: "rcon", ping: "rcon" }
    })
    expect(line).toMatchObject({ ok: true, players: {}, unread: [] })
    expect(human.stdout).toContain("76561197960267728")
    expect(human.stdout).toContain("From the console: player, time, ping, SteamID.\n")
    expect(server.commands).toEqual(["status", "status"])
  })

  it("if the password is wrong, prints the reply to the query and an error, but not the password", async () => {
    await using server = await serveBoth()
    const wrong = { env: { SOURCEWIRE_RCON_PASSWORD: "not the password" } }
    const [json, human] = await Promise.all([
      run(["query", "--json", server.where, "--rcon"], wrong),
      run(["query", server.where, "--rcon"], wrong)
    ])
    expect(objects(json.stdout)).toMatchObject([
      { ok: true, info: {}, errors: { rcon: { _tag: "AuthenticationFailed", message: expect.any(String) } } }
    ])
    expect(human.stdout).toMatch(/! No players from the console: .*password/)
    expect(json.stdout + human.stdout).not.toContain("not the password")
  })

  it("requires a password", async () => {
    const { exitCode, stderr, stdout } = await run(["query", "127.0.0.1:1", "--rcon"], {
      env: { SOURCEWIRE_RCON_PASSWORD: "" }
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toMatch(/no RCON password.*--password-file/)
  })
})

describe("rcon HOST status --json", () => {
  it.each(["source", "goldsource"] as const)(
    "parses the reply of a %s server, and prints the values in the field `status`",
    async (engine) => {
      await using server = await serveRcon(engine)
      const args = ["rcon", server.where, "--engine", engine, "--json", "-e", "status", "-e", "echo one"]
      const { exitCode, stdout } = await run(args, { env })
      const [status, echo] = objects(stdout)
      expect(status).toMatchObject({
        command: "status",
        response: expect.stringContaining("hostname"),
        status: { layout: engine, map: "de_dust2", unread: [] }
      })
      expect((status!["status"] as { players: ReadonlyArray<unknown> }).players).toHaveLength(26)
      expect(echo).not.toHaveProperty("status")
      expect(exitCode).toBe(0)
    }
  )
})
