/** The emulated servers of the network in use. */
import { signal } from "@preact/signals"
import { packBytes, unpackBytes } from "@sourcewire/ui/bytes"
import type { Emulated, StartRequest } from "../../bridge/Api.ts"
import type { GivenReply } from "../../engine/GivenReply.ts"
import { explain } from "../network/Network.ts"
import { network, networkName, chosenName } from "../network/networks.ts"
import type { Values } from "../state/address.ts"
import { readScenario, scenarioText } from "./scenario.ts"

export const emulated = signal<ReadonlyArray<Emulated>>([])

export const complaint = signal<string | undefined>(undefined)

/** The replies that the user has set for emulated servers of the page, by the id of the server. */
const given = new Map<string, ReadonlyArray<GivenReply>>()

const update = async (change: () => Promise<ReadonlyArray<Emulated>>): Promise<void> => {
  try {
    emulated.value = await change()
    complaint.value = undefined
  } catch (error) {
    complaint.value = explain(error)
  }
}

export const refresh = (): Promise<void> => update(() => network.value.request("GET", "/servers"))

/** Starts servers, and returns the last of these servers. Returns `undefined` if the servers could not be started. */
export const start = async (request: StartRequest): Promise<Emulated | undefined> => {
  await update(() => network.value.request("POST", "/servers", request))
  if (complaint.value !== undefined) return undefined
  const started = emulated.value.at(-1)
  if (started !== undefined && request.replies !== undefined && networkName.value === "page") {
    given.set(started.id, request.replies)
  }
  return started
}

export const stop = (id?: string): Promise<void> =>
  update(() => network.value.request("DELETE", id === undefined ? "/servers" : `/servers/${id}`))

/** The emulated servers of the page as parameters of a link. A link never contains the servers of a bridge. */
export const scenario = async (): Promise<Values> => {
  if (networkName.value !== "page") return {}
  const replies = emulated.value.flatMap(({ id }, index) => {
    const own = given.get(id)
    return own === undefined ? [] : [[index, own] as const]
  })
  const packed = replies.length === 0 ? undefined : await packBytes(new TextEncoder().encode(JSON.stringify(replies)))
  return { e: scenarioText(emulated.value), g: packed }
}

/** Starts the emulated servers that a link describes, and stops all other emulated servers of the page. */
export const restore = async (text: string, packed: string | undefined): Promise<void> => {
  chosenName.value = "page"
  if (scenarioText(emulated.value) === text && packed === undefined && emulated.value.length > 0) return
  await stop()
  const bytes = packed === undefined ? undefined : await unpackBytes(packed)
  const replies = new Map<number, ReadonlyArray<GivenReply>>(
    bytes === undefined ? [] : (JSON.parse(new TextDecoder().decode(bytes)) as Array<[number, Array<GivenReply>]>)
  )
  let index = 0
  for (const group of readScenario(text)) {
    const own = replies.get(index)
    await start({ ...group, ...(own === undefined ? {} : { replies: own }) })
    if (complaint.value !== undefined) return
    index += group.count
  }
}

let isPrepared = false

/**
 * Requests the list of running servers. If the network in the page is used and no server runs, the first call also starts a server, so that
 * the user has a server to query. If the user opened the page with a link that contains servers (`isLinked`), this function starts no
 * server.
 */
export const prepare = async (isLinked: boolean): Promise<void> => {
  if (networkName.value === "bridge") return refresh()
  if (isPrepared || isLinked) {
    isPrepared = true
    return refresh()
  }
  isPrepared = true
  await refresh()
  if (emulated.value.length === 0) await start({ profile: "css", faults: [], count: 1 })
}
