/** The two networks that panes can use, the network in use, and its features. */
import { computed, signal } from "@preact/signals"
import type { Status } from "../../bridge/Api.ts"
import { token } from "../state/address.ts"
import { bridge } from "./bridge.ts"
import { inPage } from "./inPage.ts"
import { explain, type Network } from "./Network.ts"

export type NetworkName = "page" | "bridge"

/** Labels of the networks. */
export const NETWORKS: Readonly<Record<NetworkName, string>> = {
  page: "In this page",
  bridge: "Bridge: real network"
}

const all: Readonly<Record<NetworkName, Network>> = { page: inPage, bridge }

/** The user's choice, if there is one. */
export const wanted = signal<NetworkName | undefined>(undefined)

/** The network in use. A page with a bridge uses the bridge, unless the user or a link chose the network in the page. */
export const networkName = computed((): NetworkName =>
  token.value === undefined ? "page" : (wanted.value ?? "bridge")
)

export const network = computed(() => all[networkName.value])

const statuses = signal<Partial<Readonly<Record<NetworkName, Status>>>>({})

/** Features of the network; `undefined` until it has responded. */
export const status = computed(() => statuses.value[networkName.value])

/** Why the network cannot be used, as a message. */
export const trouble = signal<string | undefined>(undefined)

/** Requests the status of the network in use, once. */
export const greet = async (): Promise<void> => {
  const name = networkName.value
  if (statuses.value[name] !== undefined) return
  try {
    const found = await all[name].request<Status>("GET", "/status")
    statuses.value = { ...statuses.value, [name]: found }
    trouble.value = undefined
  } catch (error) {
    trouble.value = explain(error)
  }
}
