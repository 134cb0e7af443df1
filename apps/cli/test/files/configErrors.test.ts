import { MonitorConfig, WebConfig } from "@sourcewire/monitor"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { decodeConfig } from "../../src/files/configFile.ts"
import { ProxyConfig } from "../../src/proxy/config.ts"
import { run } from "../runCli.ts"

const problem = <A, I>(schema: Schema.Codec<A, I>, config: unknown): string | undefined => {
  const decoded = decodeConfig(schema, JSON.stringify(config))
  return Result.isFailure(decoded) ? decoded.failure.message : undefined
}

const group = { name: "a" }

describe("decodeConfig with a configuration of the monitor", () => {
  it.each([
    [{ ...group, grup: 1 }, "there is no setting groups[0].grup"],
    [{ ...group, intervalMS: 1 }, "there is no setting groups[0].intervalMS (did you mean intervalMs?)"],
    [{}, "groups[0].name is missing"],
    [{ name: 5 }, "groups[0].name must be a text, not 5"],
    [{ name: "a/b" }, "groups[0].name must be a name of 1 to 64 letters, digits, blanks, dots, dashes and underscores"],
    [{ ...group, intervalMs: 10 }, "groups[0].intervalMs must be from 1000 to 86400000, not 10"],
    [{ ...group, intervalMs: 1500.5 }, "groups[0].intervalMs must be a whole number, not 1500.5"],
    [{ ...group, intervalMs: "5s" }, "groups[0].intervalMs must be a number, not a text"],
    [{ ...group, query: "al" }, 'groups[0].query must be one of "info", "all", not "al"'],
    [{ ...group, targets: "127.0.0.1" }, "groups[0].targets must be a list, not a text"],
    [{ ...group, joins: null }, "groups[0].joins must be true or false, not null"],
    [{ ...group, locations: "eu" }, "groups[0].locations must be a number or a list, not a text"],
    [{ ...group, locations: [] }, "groups[0].locations must not be empty"],
    [{ ...group, labels: { a: {} } }, "groups[0].labels.a must be a text, not an object"],
    [
      { ...group, maintenance: [{ start: "25:00", end: "04:00" }] },
      'groups[0].maintenance[0].start must be a time of day as in "04:30"'
    ],
    [{ ...group, sources: [{ file: "" }] }, "groups[0].sources[0].file must not be empty"]
  ])("rejects %j with the error: %s", (config, message) => {
    expect(problem(MonitorConfig, { groups: [config] })).toBe(message)
  })

  it("rejects a list, and an object without groups", () => {
    expect(problem(MonitorConfig, [])).toBe("the file must be an object, not a list")
    expect(problem(MonitorConfig, {})).toBe("groups is missing")
  })

  it("reports the first five problems, and the number of the remaining problems", () => {
    const message = problem(MonitorConfig, { groups: Array.from({ length: 8 }, () => ({})) })
    expect(message).toMatch(/^groups\[0\]\.name is missing; .*; groups\[4\]\.name is missing; 3 more$/)
  })
})

it("an error does not contain a user's password", () => {
  const message = problem(WebConfig, { basic_auth_users: { eva: "secret" } })
  expect(message).toBe("basic_auth_users.eva must be a bcrypt hash")
})

it("the proxy's configuration must contain valid servers", () => {
  expect(problem(ProxyConfig, { servers: [] })).toBe("servers must not be empty")
  expect(problem(ProxyConfig, { servers: [{ upstream: "a", bind: "b", limitPerSecond: "never" }] })).toBe(
    'servers[0].limitPerSecond must be a number or "none", not a text'
  )
})

const file = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "sourcewire-config-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const name = join(folder, "config.json")
  writeFileSync(name, text)
  return name
}

it.each(["monitor", "exporter", "proxy"])(
  "if the configuration is invalid, %s reports the file, the setting and the reason",
  async (command) => {
    const name = file('{ "grops": [] }')
    const { exitCode, stderr } = await run([command, "--config", name])
    expect(stderr).toContain(`sourcewire: ${name} is not valid: `)
    expect(stderr).toContain("there is no setting grops")
    expect(stderr).toContain("is missing")
    expect(stderr).not.toMatch(/Expected|Missing key/)
    expect(exitCode).toBe(2)
  }
)

it.each([
  ["[", "it is not JSON: the text ends too early"],
  ['{ "groups": ] }', 'it is not JSON: unexpected "]"'],
  ["", "it is not JSON: the file is empty"],
  ['{ "groups": [{ "name": "a" }, { "name": "a" }] }', "two groups have the name a"],
  [
    '{ "groups": [{ "name": "a", "targets": ["a b"] }] }',
    'group a: "a b" is not an address: the host is neither a name nor a numeric address. Write host'
  ]
])("the configuration %j causes the error: %s", async (text, message) => {
  const name = file(text)
  const { exitCode, stderr } = await run(["monitor", "--config", name], { env: { COLUMNS: "500" } })
  expect(stderr).toContain(`${name} is not valid: ${message}`)
  expect(exitCode).toBe(2)
})
