/** Checks that the reference page of metrics lists every metric of the monitor and of the proxy, and no other metrics. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
const page = read("docs/reference/metrics.md")
const listed = (prefix: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`\`${prefix}(\\w+)\``, "g"))].map(([, name]) => name!).toSorted()

const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^ *\[\s*"(\w+)",\s*(?:"[A-Z1]|`[A-Z])/gm)].map(([, name]) => name!)

it("the reference lists all metrics of the monitor", () => {
  const source = read("packages/monitor/src/http/metrics.ts")
  const monitor = source.slice(source.indexOf("export const monitorMetrics"))
  expect(listed("sourcewire_monitor_").filter((name) => !name.startsWith("source_"))).toEqual(
    namesIn(monitor).toSorted()
  )
  const servers = source.slice(source.indexOf("const serverWith"), source.indexOf("const SERVER"))
  expect(listed("sourcewire_server_")).toEqual(namesIn(servers).toSorted())
})

it("the reference lists all metrics of the proxy", () => {
  const names = [...namesIn(read("apps/cli/src/proxy/metrics.ts")), "log_lines_lost_total"]
  expect(listed("sourcewire_proxy_")).toEqual(names.toSorted())
})
