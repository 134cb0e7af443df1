/** A proxy in front of a game server, for tests. */
import { type ProxyServerOptions, type ProxyStatus, startProxy } from "@sourcewire/proxy"
import { vi } from "vitest"
import { layer } from "../src/effect.ts"

/** A running proxy for one server. Close it with `await using`. */
export interface Proxied extends AsyncDisposable {
  readonly proxy: Awaited<ReturnType<typeof startProxy>>
  /** `host:port` of the proxy. */
  readonly address: string
}

export const until = (condition: () => boolean): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 5 })

/** Starts a proxy, and waits until the proxy has queried `upstream` for each of the `parts`, with or without success. */
export const proxied = async (
  upstream: string,
  parts: ReadonlyArray<keyof ProxyStatus["ageMs"]> = ["info", "players", "rules"],
  options: Partial<ProxyServerOptions> = {}
): Promise<Proxied> => {
  const proxy = await startProxy({ transport: layer, servers: [{ upstream, ...options }] })
  const [status] = proxy.status()
  await until(() => {
    const { answered, failed } = proxy.status()[0]!.back
    return parts.every((part) => answered[part] + failed[part] > 0)
  })
  return { proxy, address: status!.listening, [Symbol.asyncDispose]: proxy.close }
}
