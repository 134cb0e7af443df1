/**
 * Tests groups with `rconPasswordFile`. A monitor reads players from the consoles of emulated servers, and the monitor's API returns these
 * players.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { type Profile, Responder } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { PASSWORD, serveRcon } from "../rconServers.ts"
import { objects, type Running, start } from "../runCli.ts"

let directory: string
let watch: Running | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-console-"))
})
afterEach(async () => {
  watch?.child.kill("SIGTERM")
  await watch?.ended
  await rm(directory, { recursive: true })
})

const INTERVAL_MS = 1000

/** Returns the profile without the names of players. A CS2 server with default settings omits these names from its A2S replies. */
const withoutNames = (profile: Profile): Profile => {
  const { players } = profile
  if (typeof players !== "object") throw new Error("the profile has no list of players")
  return { ...profile, players: { ...players, players: players.players.map((player) => ({ ...player, name: "" })) } }
}

/**
 * Starts a server that replies to queries with the data of `queried`, and has an RCON console on the same port. If a client sends a second
 * wrong password, the server bans the client.
 */
const serve = async (profile: Profile, engine: "source" | "goldsource", queried = profile) => {
  const attempts = { maxFailures: 1, windowMs: 3_600_000 }
  const isSource = engine === "source"
  const options = isSource ? { attempts } : { attempts, queries: new Responder(queried) }
  const console_ = await serveRcon(engine, options, profile)
  const { port } = console_.local
  const queries = isSource ? await startServer({ transport: layer, port, profile: queried }) : undefined
  const { players } = profile
  return {
    where: console_.where,
    names: typeof players === "object" ? players.players.map(({ name }) => name) : [],
    commands: console_.commands,
    requests: () => queries?.counters().requests ?? 0,
    [Symbol.asyncDispose]: async () => {
      await queries?.close()
      await console_.close()
    }
  }
}

interface Detail {
  readonly answer?: { readonly players?: { readonly players: ReadonlyArray<{ readonly name: string }> } }
  readonly console?: {
    readonly players?: ReadonlyArray<Record<string, unknown> & { readonly sources: Record<string, string> }>
    readonly unread?: number
    readonly error?: { readonly _tag: string; readonly message: string }
  }
}

/** Writes the password to a file, and starts a monitor that uses this file to log in to the consoles of the targets. */
const monitor = async (targets: ReadonlyArray<string>, password: string) => {
  await writeFile(join(directory, "rcon.txt"), password)
  const group = { name: "all", targets, query: "all", intervalMs: INTERVAL_MS, rconPasswordFile: "rcon.txt" }
  await writeFile(join(directory, "monitor.json"), JSON.stringify({ groups: [group] }))
  const [config, store] = [join(directory, "monitor.json"), join(directory, "monitor.db")]
  watch = start(["monitor", "--json", "--bind", "127.0.0.1:0", "--config", config, "--store", store])
  await Promise.race([watch.printed("\n"), watch.ended])
  const url = String(objects(watch.output().stdout)[0]!["url"])
  const get = async (path: string): Promise<string> => (await fetch(url + path)).text()
  const ids = new Map(
    (JSON.parse(await get("/api/targets")) as { targets: ReadonlyArray<{ id: number; address: string }> }).targets.map(
      ({ address, id }) => [address, id]
    )
  )
  const detail = async (where: string): Promise<Detail> =>
    JSON.parse(await get(`/api/targets/${ids.get(where)}`)) as Detail
  const until = (where: string, isReached: (console: NonNullable<Detail["console"]>) => boolean) =>
    vi.waitUntil(
      async () => {
        const one = await detail(where)
        return one.console !== undefined && isReached(one.console) ? one : undefined
      },
      { timeout: 60_000, interval: 100 }
    )
  return { get, detail, until, ids }
}

const hasPlayers = ({ players }: NonNullable<Detail["console"]>): boolean => players !== undefined

describe("the players of a group with rconPasswordFile", () => {
  it("are read from the consoles of CS2, Source and GoldSource servers, and the API reports whether a value comes from the console", async () => {
    await using cs2 = await serve(profiles.cs2(), "source", withoutNames(profiles.cs2()))
    await using css = await serve(profiles.css(), "source")
    await using goldsource = await serve(profiles.cs16(), "goldsource")
    const { get, ids, until } = await monitor([cs2.where, css.where, goldsource.where], `${PASSWORD}\n`)

    const fromCs2 = await until(cs2.where, hasPlayers)
    expect(new Set(fromCs2.answer!.players!.players.map(({ name }) => name))).toEqual(new Set([""]))
    expect(fromCs2.console!.players!.map(({ name }) => name)).toEqual(cs2.names)
    expect(fromCs2.console!.players![0]).toMatchObject({ ping: 15, sources: { name: "rcon", ping: "rcon" } })
    // The console of CS2 prints no SteamIDs.
    expect(fromCs2.console!.players![0]).not.toHaveProperty("steamId")

    const fromCss = await until(css.where, hasPlayers)
    expect(fromCss.console).toMatchObject({ unread: 0 })
    expect(fromCss.console!.players![0]).toMatchObject({
      name: css.names[0],
      steamId: "76561197960267728",
      sources: { steamId: "rcon", connectedSeconds: "rcon", score: "a2s" }
    })

    const fromGoldSource = await until(goldsource.where, hasPlayers)
    expect(fromGoldSource.console!.players![0]).toMatchObject({
      name: goldsource.names[0],
      steamId: expect.stringMatching(/^7656119\d{10}$/) as string,
      sources: { name: "rcon", steamId: "rcon", ping: "rcon" }
    })

    // The monitor reads the console at most once for each query of the players. A query needs at least two requests. Therefore the monitor
    // sends at most half as many console commands as A2S requests.
    await new Promise((resolve) => setTimeout(resolve, 3 * INTERVAL_MS))
    expect(cs2.commands.length).toBeGreaterThan(1)
    expect(cs2.commands.length).toBeLessThanOrEqual(cs2.requests() / 2)
    expect(new Set([...cs2.commands, ...css.commands, ...goldsource.commands])).toEqual(new Set(["status"]))

    // No output contains the password or the players' addresses. Only the details of a server contain SteamIDs.
    const details = await Promise.all([...ids.values()].map((id) => get(`/api/targets/${id}`)))
    const others = await Promise.all(
      ["overview", "targets", "changes", "export/changes", "fleet"].map((path) => get(`/api/${path}`))
    )
    const { stderr, stdout } = watch!.output()
    watch!.child.kill("SIGTERM")
    await watch!.ended
    const stored = await Promise.all(
      (await readdir(directory))
        .filter((name) => name.startsWith("monitor.db"))
        .map((name) => readFile(join(directory, name), "latin1"))
    )
    expect(details.join()).not.toMatch(/192\.0\.2\.\d/)
    for (const text of [...details, ...others, ...stored, stderr, stdout]) expect(text.includes(PASSWORD)).toBe(false)
    for (const text of [...others, ...stored, stderr, stdout]) expect(text).not.toMatch(/7656119\d{10}/)
    expect(stored.join()).toContain("Sourcewire")
    expect(stored.some((text) => text.includes("~Thistle"))).toBe(true)
  })

  it("are read after the user corrects the password, and a wrong password is sent only once", async () => {
    await using server = await serve(profiles.css(), "source")
    const wrong = "not the password"
    const { detail, get, ids, until } = await monitor([server.where], wrong)
    const refused = await until(server.where, ({ error }) => error !== undefined)
    expect(refused.console!.error).toEqual({
      _tag: "AuthenticationFailed",
      message:
        "The server refused the RCON password. The monitor tries again in an hour, or when the password file changes."
    })
    // If the monitor sent the wrong password again, the server would ban the monitor.
    await new Promise((resolve) => setTimeout(resolve, 4 * INTERVAL_MS))
    expect((await detail(server.where)).console).toEqual(refused.console)
    const { stderr } = watch!.output()
    expect(stderr.match(/refused the RCON password/g)).toHaveLength(1)
    expect(stderr + (await get(`/api/targets/${ids.get(server.where)}`))).not.toContain(wrong)

    await writeFile(join(directory, "rcon.txt"), PASSWORD)
    const corrected = await until(server.where, hasPlayers)
    expect(corrected.console!.players!.map(({ name }) => name)).toEqual(server.names)
    await watch!.printedOnStderr(`the console of ${server.where} can be read again`)
  })

  it("come from A2S if the instance cannot read the password file", async () => {
    await using server = await serve(profiles.css(), "source")
    const { until } = await monitor([server.where], PASSWORD)
    await until(server.where, hasPlayers)
    await rm(join(directory, "rcon.txt"))
    const without = await until(server.where, ({ error }) => error !== undefined)
    expect(without.console!.error).toMatchObject({ _tag: "NoPassword" })
    expect(without.console).not.toHaveProperty("players")
    expect(without.answer!.players!.players).toHaveLength(server.names.length)
    await watch!.printedOnStderr("rcon.txt cannot be read (ENOENT)")
    expect(JSON.stringify(without)).not.toContain(directory)
  })
})
