/** Starts a proxy in front of a server, and waits until it has the replies that the test needs. */
import { type ProxyServerOptions, type ProxyStatus, startProxy } from "@sourcewire/proxy"
import { vi } from "vitest"
import { layer } from "../src/effect.ts"

/** A running proxy for one server. Close it with `await using`. */
export interface Proxied extends AsyncDisposable {
  readonly proxy: Awaited<ReturnType<typeof startProxy>>
  /** The proxy's `host:port`. */
  readonly address: string
}

/** Resolves when the condition holds. */
export const until = (condition: () => boolean): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 5 })

/** A proxy that has queried `upstream` for these parts, with or without success. */
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
