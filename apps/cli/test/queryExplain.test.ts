import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"

/** Starts `sourcewire serve` with these flags, and returns the address of the emulated server. */
const serving = async (...flags: ReadonlyArray<string>) => {
  const running = start(["serve", "--json", "--port", "0", ...flags])
  await running.printed("\n")
  const stop = async () => {
    running.child.kill("SIGTERM")
    await running.ended
  }
  return { address: String(objects(running.output().stdout)[0]!["listening"]), [Symbol.asyncDispose]: stop }
}

describe("query --explain", () => {
  it("prints the findings after the reply, in the same form as decode --explain", async () => {
    await using server = await serving("--profile", "cs2", "--people", "0")
    const { exitCode, stdout } = await run(["query", "--explain", "--json", server.address])
    const [result, explained, ...others] = objects(stdout)
    expect({ exitCode, others }).toEqual({ exitCode: 0, others: [] })
    expect(result).toMatchObject({ address: server.address, ok: true })
    expect(explained).toMatchObject({
      server: server.address,
      clients: ["this host"],
      datagrams: expect.any(Number),
      findings: expect.arrayContaining([
        {
          kind: expect.stringMatching(/^(?:empty-server|all-bots)$/),
          severity: expect.any(String),
          text: expect.any(String),
          hint: expect.any(String),
          field: expect.any(String),
          places: expect.arrayContaining([
            { packet: 4, time: expect.stringMatching(/Z$/), offset: expect.any(Number), length: 1 }
          ])
        }
      ])
    })
    const text = (await run(["query", "--explain", server.address])).stdout
    expect(text).toContain("with this host")
    expect(text).toMatch(/ {2}(?:note|warning): .*\n(?: {4}.*\n)+? {4}datagram 4, byte \d+/)
  })

  it("explains each target of a list separately, even if the query of a target fails", async () => {
    await using loop = await serving("--rechallenge", "1000")
    await using silent = await serving("--loss", "1")
    const closed = "127.0.0.1:9"
    const addresses = [loop.address, silent.address, closed]
    const { exitCode, stderr, stdout } = await run([
      "query",
      "--explain",
      "--json",
      "--ordered",
      "--timeout",
      "700",
      ...addresses
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
    const lines = objects(stdout)
    expect(lines.map(({ address, server }) => address ?? server)).toEqual(addresses.flatMap((one) => [one, one]))
    const kinds = lines.flatMap(({ findings }) =>
      findings === undefined ? [] : [(findings as ReadonlyArray<{ kind: string }>).map(({ kind }) => kind)]
    )
    expect(kinds).toEqual([
      expect.arrayContaining(["challenge-loop"]),
      expect.arrayContaining(["no-reply"]),
      expect.arrayContaining(["port-closed"])
    ])
  })

  it("can be combined with --trace, but not with --rcon or --verdict", async () => {
    await using server = await serving()
    const { stderr, stdout } = await run(["query", "--explain", "--json", "--trace", server.address])
    expect(stderr).toContain("A2S_INFO")
    expect(objects(stdout)).toHaveLength(2)
    for (const other of ["--rcon", "--verdict"]) {
      const refused = await run(["query", "--explain", other, server.address])
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain(`${other} and --explain cannot be combined. Remove one of them.`)
    }
  })
})
