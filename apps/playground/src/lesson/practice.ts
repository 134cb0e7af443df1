/**
 * The queries at the end of the lesson. One query is sent to an emulated server in the page, and one to a real server through the bridge.
 */
import { computed, signal } from "@preact/signals"
import type { Answer, AskEvent, Emulated } from "../../bridge/Api.ts"
import { bridge } from "../network/bridge.ts"
import { inPage } from "../network/inPage.ts"
import { type Network, explain } from "../network/Network.ts"
import type { NetworkName } from "../network/networks.ts"

const makePractice = (network: Network) => {
  const answer = signal<Answer | undefined>(undefined)
  return {
    address: signal(""),
    /** The decoded reply to the query. `undefined` until the reply arrives. */
    answer,
    /** Number of datagrams of the query that were sent or received. */
    datagrams: signal(0),
    failure: signal<string | undefined>(undefined),
    running: signal(false),
    /** Number of players, not including bots. */
    people: computed(() => {
      const summary = answer.value?.summary
      return summary === undefined ? undefined : summary.players - summary.bots
    }),
    network
  }
}

export const practices: Readonly<Record<NetworkName, ReturnType<typeof makePractice>>> = {
  page: makePractice(inPage),
  bridge: makePractice(bridge)
}

/**
 * Queries a server. On the network of the bridge, the function queries the server whose address the user has typed. On the network in the
 * page, the function queries the first emulated server. If no emulated server runs, the function starts one before the query.
 */
export const practise = async (name: NetworkName): Promise<void> => {
  const { address, answer, datagrams, failure, network, running } = practices[name]
  if (running.value) return
  running.value = true
  answer.value = undefined
  failure.value = undefined
  datagrams.value = 0
  try {
    if (name === "page") {
      const servers = await network.request<ReadonlyArray<Emulated>>("GET", "/servers")
      const first = { profile: "css", faults: [], count: 1 }
      const all =
        servers.length > 0 ? servers : await network.request<ReadonlyArray<Emulated>>("POST", "/servers", first)
      address.value = all[0]!.address
    }
    const body = { address: address.value.trim(), kind: "info" }
    for await (const event of network.stream<AskEvent>("/ask", body, new AbortController().signal)) {
      if (event._tag === "Datagram") datagrams.value++
      else if (event._tag === "Answered") answer.value = event.answer
      else failure.value = event.error.message
    }
  } catch (error) {
    failure.value = explain(error)
  } finally {
    running.value = false
  }
}
