/**
 * The configuration of a monitor that is started with neither addresses nor a configuration file. The dashboard can change this
 * configuration.
 */
import type * as Effect from "effect/Effect"
import type { WebhookConfig } from "../config/Config.ts"

/** Servers to add to a group. */
export interface NewServers {
  /** The addresses as the user has entered them. */
  readonly addresses: ReadonlyArray<string>
  /** The group (default: `mine`). If the group does not exist, it is created. */
  readonly group?: string
  /** Labels to add to the group. */
  readonly labels?: Readonly<Record<string, string>>
  /** The names of the servers. Each key is one of `addresses`, in the same spelling. */
  readonly names?: Readonly<Record<string, string>>
}

/** The result of adding servers: each added server with its address in the list, and each rejected server with the reason. */
export interface AddedServers {
  readonly added: ReadonlyArray<{ readonly text: string; readonly address: string }>
  readonly rejected: ReadonlyArray<{ readonly text: string; readonly message: string }>
}

/** A removed server, with the data that is necessary to add it again. */
export interface RemovedServer {
  readonly text: string
  readonly group: string
  readonly name?: string
}

/** New settings of a server. If the name is empty, the monitor shows the name that the server reports. */
export interface ServerEdit {
  readonly group?: string
  readonly name?: string
  /** The new labels of the server's group. The new labels replace all old labels. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A change of the configuration. If the change fails, the error contains the reason. */
type Changing<A> = Effect.Effect<A, { readonly message: string }>

/** The changes that the dashboard can make to the configuration. */
export interface TargetList {
  readonly add: (servers: NewServers) => Changing<AddedServers>
  /** Removes the server with this address. */
  readonly remove: (address: string) => Changing<RemovedServer>
  readonly edit: (address: string, edit: ServerEdit) => Changing<void>
  readonly addWebhook: (webhook: WebhookConfig) => Changing<void>
  readonly removeWebhook: (name: string) => Changing<void>
}
