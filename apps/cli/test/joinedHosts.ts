/**
 * Two network namespaces of Linux with a connection between them. A test can disable the network interface of a namespace without affecting
 * programs outside the namespaces. This module requires the user root and iproute2.
 *
 *     const hosts = joinedHosts()
 *     it.runIf(hosts !== undefined)("survives an outage", …)
 */
import { spawnSync } from "node:child_process"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"

/** Two connected hosts, each in its own network namespace. The tested program runs on the host `here`. */
export interface JoinedHosts extends Disposable {
  /** The prefix of a command line. With this prefix, the command runs on the host `here`. */
  readonly here: ReadonlyArray<string>
  readonly there: ReadonlyArray<string>
  readonly addressThere: string
  /** Enables or disables the network interface of `here`. */
  readonly setInterface: (state: "up" | "down") => void
}

const ADDRESS_HERE = "10.99.0.1"
const ADDRESS_THERE = "10.99.0.2"

/**
 * Creates the hosts. Returns `undefined` if the user is not root, if iproute2 is missing, or if the system does not permit network
 * namespaces.
 */
export const joinedHosts = (): JoinedHosts | undefined => {
  const ip = process.platform === "linux" ? externalProgram("ip", "iproute2") : undefined
  if (ip === undefined || process.getuid?.() !== 0) return undefined
  const [here, there] = [`sourcewire-here-${process.pid}`, `sourcewire-there-${process.pid}`] as const
  const run = (...args: ReadonlyArray<string>): void => {
    const { status, stderr } = spawnSync(ip, args, { encoding: "utf8" })
    if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`)
  }
  const remove = (): void => {
    for (const name of [here, there]) spawnSync(ip, ["netns", "delete", name])
  }
  try {
    for (const name of [here, there]) run("netns", "add", name)
    run("link", "add", "eth0", "netns", here, "type", "veth", "peer", "name", "eth0", "netns", there)
    run("-n", here, "address", "add", `${ADDRESS_HERE}/24`, "dev", "eth0")
    run("-n", there, "address", "add", `${ADDRESS_THERE}/24`, "dev", "eth0")
    for (const name of [here, there]) run("-n", name, "link", "set", "eth0", "up")
  } catch (error) {
    remove()
    process.emitWarning(`Cannot create network namespaces. Tests that need them are skipped: ${String(error)}`)
    return undefined
  }
  return {
    here: [ip, "netns", "exec", here],
    there: [ip, "netns", "exec", there],
    addressThere: ADDRESS_THERE,
    setInterface: (state) => run("-n", here, "link", "set", "eth0", state),
    [Symbol.dispose]: remove
  }
}
