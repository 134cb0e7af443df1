/**
 * The two networks that the views can use: the network in the page, and the bridge. Also the choice between the two networks, and the
 * status of the network in use.
 */
import { computed, signal } from "@preact/signals"
import type { Status } from "../../bridge/Api.ts"
import { token } from "../state/address.ts"
import { bridge } from "./bridge.ts"
import { inPage } from "./inPage.ts"
import { explain, type Network } from "./Network.ts"

export type NetworkName = "page" | "bridge"

/** The networks, with the labels that the user sees. */
export const NETWORKS: Readonly<Record<NetworkName, string>> = {
  page: "In this page",
  bridge: "Bridge: real network"
}

const all: Readonly<Record<NetworkName, Network>> = { page: inPage, bridge }

/** The network that the user or a link has chosen. `undefined` if nothing was chosen. */
export const chosenName = signal<NetworkName | undefined>(undefined)

/**
 * The network in use. If no bridge has opened the page, this is always the network in the page. Otherwise, the user can choose the network
 * (default: the bridge).
 */
export const networkName = computed((): NetworkName =>
  token.value === undefined ? "page" : (chosenName.value ?? "bridge")
)

export const network = computed(() => all[networkName.value])

const statuses = signal<Partial<Readonly<Record<NetworkName, Status>>>>({})

/**
 * The status of the network in use, for example whether the network can emulate servers. `undefined` until {@link greet} has received the
 * status.
 */
export const status = computed(() => statuses.value[networkName.value])

/** Why the network cannot be used, as a message for the user. */
export const problem = signal<string | undefined>(undefined)

/** Requests the status of the network in use, if this status is not known yet. */
export const greet = async (): Promise<void> => {
  const name = networkName.value
  if (statuses.value[name] !== undefined) return
  try {
    const found = await all[name].request<Status>("GET", "/status")
    statuses.value = { ...statuses.value, [name]: found }
    problem.value = undefined
  } catch (error) {
    problem.value = explain(error)
  }
}
