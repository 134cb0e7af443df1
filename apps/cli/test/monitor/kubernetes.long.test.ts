/** Checks that the Kubernetes manifests of a fleet are valid, and that the command in the manifests works. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import * as apps from "kubernetes-models/apps/v1"
import * as policy from "kubernetes-models/policy/v1"
import * as v1 from "kubernetes-models/v1"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it, vi } from "vitest"
import { parseAllDocuments } from "yaml"
import { isInstalled, makePostgres } from "../../../../tooling/fleet/src/fleet.ts"
import { monitorFile } from "../../src/monitor/settings.ts"
import { start } from "../runCli.ts"

interface Resource {
  readonly apiVersion: string
  readonly kind: string
}
interface Pod {
  readonly containers: readonly [
    {
      readonly args: ReadonlyArray<string>
      readonly livenessProbe: { readonly httpGet: { readonly path: string } }
      readonly readinessProbe: { readonly httpGet: { readonly path: string } }
    }
  ]
}

const manifest = readFileSync(new URL("../../../../deploy/kubernetes/monitor.yml", import.meta.url), "utf8")
const resources = parseAllDocuments(manifest).map((document): Resource => document.toJS() as Resource)
const of = <A>(kind: string): A => resources.find((resource) => resource.kind === kind) as A
const config = of<{ data: Record<string, string> }>("ConfigMap").data["monitor.json"]!
const [container] = of<{ spec: { template: { spec: Pod } } }>("StatefulSet").spec.template.spec.containers

const directory = mkdtempSync(join(tmpdir(), "sourcewire-kubernetes-"))
afterAll(() => rmSync(directory, { recursive: true }))

describe("the manifests", () => {
  it.each(resources)("contain a valid $kind", (resource) => {
    const models: Readonly<Record<string, new (resource: never) => { validate: () => void }>> = {
      ...v1,
      ...apps,
      ...policy
    }
    new models[resource.kind]!(resource as never).validate()
  })

  it("contain only keys that Kubernetes supports", () => {
    const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))
    symlinkSync(modules, join(directory, "node_modules"))
    const file = join(directory, "manifest.ts")
    const lines = resources.map(
      (resource, i) =>
        `export const r${i}: import("kubernetes-models/${resource.apiVersion}").I${resource.kind} = ${JSON.stringify(resource)}`
    )
    writeFileSync(file, lines.join("\n"))
    const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "esnext",
      "--types",
      ""
    ]
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, file], { encoding: "utf8" })
    expect(stdout).toBe("")
  })

  it("contain a valid configuration", () => {
    expect(monitorFile("monitor.json")(config)).toMatchObject({ _tag: "Success" })
  })

  it.skipIf(!isInstalled)(
    "start a monitor that is ready only while Postgres is available, and that exits with 0 after SIGTERM",
    async () => {
      const postgres = await makePostgres()
      await postgres.start()
      try {
        for (const [folder, name, content] of [
          ["config", "monitor.json", config],
          ["secret", "store", postgres.url()],
          ["secret", "token", "0123456789abcdef"]
        ] as const) {
          mkdirSync(join(directory, folder), { recursive: true })
          writeFileSync(join(directory, folder, name), content)
        }
        const args = container.args.map((word) =>
          word
            .replace("/etc/sourcewire", directory)
            .replace("$(POD_NAME)", "sourcewire-0")
            .replace("0.0.0.0:9155", "127.0.0.1:0")
        )
        const monitor = start(args)
        const end = await Promise.race([monitor.printed("\n"), monitor.ended])
        if (end !== undefined) throw new Error(end.stderr)
        const url = monitor.output().stdout.trim()
        const status = async (path: string): Promise<number> => (await fetch(url + path)).status
        expect(await status(container.livenessProbe.httpGet.path)).toBe(200)
        const ready = container.readinessProbe.httpGet.path
        await vi.waitUntil(async () => (await status(ready)) === 200, { timeout: 60_000, interval: 50 })
        expect(await status("/api/overview")).toBe(401)
        await postgres.stop()
        await vi.waitUntil(async () => (await status(ready)) === 503, { timeout: 60_000, interval: 50 })
        expect(await status(container.livenessProbe.httpGet.path)).toBe(200)
        await postgres.start()
        await vi.waitUntil(async () => (await status(ready)) === 200, { timeout: 60_000, interval: 50 })
        monitor.child.kill("SIGTERM")
        expect((await monitor.ended).exitCode).toBe(0)
      } finally {
        await postgres.remove()
      }
    }
  )
})
