/**
 * Tests the files of `deploy/` and the Dockerfile. The files must use the image that is built from this repository. The commands of the
 * image must work with the built program.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { objects, run, start } from "../runCli.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const readText = (path: string): string => readFileSync(join(root, path), "utf8")

const directory = mkdtempSync(join(tmpdir(), "sourcewire-deploy-"))
afterAll(() => rmSync(directory, { recursive: true }))

/** Returns the words of an instruction in the runtime stage of the Dockerfile. The instruction must contain the words as a JSON list. */
const parseWords = (instruction: string): ReadonlyArray<string> => {
  const runtime = readText("Dockerfile")
    .split(/^FROM /m)
    .at(-1)!
  const [, words] = new RegExp(`^${instruction} .*?(\\[.*\\])$`, "m").exec(runtime)!
  return JSON.parse(words!) as ReadonlyArray<string>
}

interface Compose {
  readonly services: Readonly<Record<string, { readonly build?: string; readonly command: ReadonlyArray<string> }>>
}
const compose = parse(readText("deploy/compose.yml")) as Compose

const token = join(directory, "token")
writeFileSync(token, "0123456789abcdef")

/** Replaces paths of the container with paths on this machine, and the address of the HTTP server with a free port on loopback. */
const local = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((word) =>
    word
      .replace("/run/secrets/monitor_token", token)
      .replace("/etc/sourcewire/monitor.json", join(root, "deploy/monitor.json"))
      .replace(/\$\{SOURCEWIRE_STORE:-.*\}/, join(directory, "compose.db"))
      .replace("0.0.0.0:9155", "127.0.0.1:0")
  )

describe("the image", () => {
  it("is built with the pinned pnpm, and does not run as root", () => {
    const { packageManager } = JSON.parse(readText("package.json")) as { readonly packageManager: string }
    const dockerfile = readText("Dockerfile")
    expect([...dockerfile.matchAll(/pnpm@[\d.]+/g)].map(([name]) => name)).toEqual([packageManager, packageManager])
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m)
  })

  it.each([
    ["its own command", parseWords("CMD")],
    ["the command of compose.yml", compose.services["monitor"]!.command]
  ])("with %s, runs a healthy monitor that exits with 0 after SIGTERM", async (_, command) => {
    const [node, file, ...health] = parseWords("HEALTHCHECK")
    expect([node, file]).toEqual(parseWords("ENTRYPOINT"))
    const monitor = start([...local(command), "--json"], {
      env: { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
    })
    const end = await Promise.race([monitor.printed("\n"), monitor.ended])
    if (end !== undefined) throw new Error(end.stderr)
    const url = String(objects(monitor.output().stdout)[0]!["url"])
    const healthy = await run([...local(health), url])
    expect(healthy).toMatchObject({ exitCode: 0, stderr: "" })
    monitor.child.kill("SIGTERM")
    expect((await monitor.ended).exitCode).toBe(0)
    expect((await run([...local(health), url])).exitCode).not.toBe(0)
  })

  it("is built by compose.yml; kustomization.yml lists every image that the manifests use", () => {
    expect(compose.services["monitor"]!.build).toBe("..")
    const { images, resources } = parse(readText("deploy/kubernetes/kustomization.yml")) as {
      readonly images: ReadonlyArray<{ readonly name: string }>
      readonly resources: ReadonlyArray<string>
    }
    const documents = resources.flatMap((name) => parseAllDocuments(readText(`deploy/kubernetes/${name}`)))
    const used = documents.flatMap((document) =>
      [...String(document).matchAll(/image: (\S+)/g)].map(([, name]) => name)
    )
    expect(used).toEqual(images.map(({ name }) => name))
  })
})

it("the example with two game servers starts healthy servers, and its monitor posts to Discord when a server stops", async () => {
  const folder = "deploy/two-servers"
  const { services } = parse(readText(`${folder}/compose.yml`)) as {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly build?: string
          readonly command: ReadonlyArray<string>
          readonly healthcheck?: { readonly test: Array<string> }
          readonly pull_policy?: string
        }
      >
    >
  }
  // One service builds the image. The other services must not try to download the image, because no registry contains the image.
  for (const { build, pull_policy: policy } of Object.values(services)) {
    expect(policy).toBe(build === undefined ? "never" : undefined)
  }
  const received: Array<string> = []
  const discord = createServer((request, response) => {
    request.on("data", (bytes) => received.push(String(bytes)))
    request.on("end", () => response.writeHead(204).end())
  }).listen(0, "127.0.0.1")
  await once(discord, "listening")
  const url = join(directory, "discord_url")
  writeFileSync(url, `http://127.0.0.1:${(discord.address() as AddressInfo).port}/\n`)

  const config = JSON.parse(readText(`${folder}/monitor.json`)) as {
    readonly groups: [{ readonly targets: Array<string> }]
    readonly webhooks: [object & { readonly urlFile: string }]
  }
  const servers = await Promise.all(
    config.groups[0].targets.map(async (target) => {
      const { command, healthcheck } = services[target.replace(":27015", "")]!
      const serving = start([...command.map((word) => word.replace("0.0.0.0:27015", "127.0.0.1:0")), "--json"])
      await serving.printed("\n")
      const address = String(objects(serving.output().stdout)[0]!["listening"])
      const [kind, node, file, ...health] = healthcheck!.test
      expect([kind, node, file]).toEqual(["CMD", ...parseWords("ENTRYPOINT")])
      expect(await run(health.map((word) => word.replace("127.0.0.1:27015", address)))).toMatchObject({ exitCode: 0 })
      return { address, serving }
    })
  )
  expect(config.webhooks[0].urlFile).toBe("/run/secrets/discord_url")
  const file = join(directory, "two-servers.json")
  const targets = servers.map(({ address }) => address)
  const webhooks = [{ ...config.webhooks[0], urlFile: url, allowLocal: true }]
  writeFileSync(file, JSON.stringify({ groups: [{ ...config.groups[0], targets, intervalMs: 1000 }], webhooks }))
  const command = services["monitor"]!.command.map((word) =>
    word
      .replace("/etc/sourcewire/monitor.json", file)
      .replace("/var/lib/sourcewire/monitor.db", join(directory, "two.db"))
  )
  const monitor = start([...local(command), "--json"])
  await monitor.printed("\n")
  const { url: page } = objects(monitor.output().stdout)[0]!
  const headers = { authorization: "Bearer 0123456789abcdef" }
  const countUp = async () =>
    ((await (await fetch(new URL("api/overview", String(page)), { headers })).json()) as { readonly up: number }).up
  await expect.poll(countUp, { timeout: 20_000 }).toBe(2)
  servers[1]!.serving.child.kill()
  await expect.poll(() => received.join("\n"), { timeout: 20_000 }).toMatch(/Second server .* is down/)
  monitor.child.kill()
  servers[0]!.serving.child.kill()
  await monitor.ended
  discord.close()
})

it("the Grafana dashboards let the user choose a Prometheus data source, and use no other data source", () => {
  const folder = "deploy/grafana/dashboards"
  for (const file of readdirSync(join(root, folder))) {
    const text = readText(join(folder, file))
    const { templating } = JSON.parse(text) as { readonly templating: { readonly list: ReadonlyArray<object> } }
    expect(templating.list[0]).toMatchObject({ name: "datasource", type: "datasource", query: "prometheus" })
    const sources = [...text.matchAll(/"datasource": \{[^}]*"uid": "([^"]*)"/g)].map(([, uid]) => uid)
    expect(sources.length).toBeGreaterThan(3)
    expect(new Set(sources)).toEqual(new Set(["${datasource}"]))
    // No dashboard contains the name of a data source. No dashboard contains a placeholder `${DS_…}`, which Grafana writes if a user
    // exports a dashboard for other users.
    expect([...text.matchAll(/"datasource": [^{]/g)]).toEqual([])
    expect(text).not.toContain("${DS_")
  }
})
