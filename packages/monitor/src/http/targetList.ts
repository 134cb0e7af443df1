/** The configuration that the monitor keeps itself if neither addresses nor a file are given. The dashboard changes it. */
import type * as Effect from "effect/Effect"
import type { WebhookConfig } from "../config/Config.ts"

/** Servers to add to a group. */
export interface NewServers {
  /** Addresses as a user enters them. */
  readonly addresses: ReadonlyArray<string>
  /** A group that does not exist is created (default: `mine`). */
  readonly group?: string
  /** Labels to add to the group. */
  readonly labels?: Readonly<Record<string, string>>
  /** Names by address, as entered. */
  readonly names?: Readonly<Record<string, string>>
}

/** The added servers with their addresses in the list, and why the others were not added. */
export interface AddedServers {
  readonly added: ReadonlyArray<{ readonly text: string; readonly address: string }>
  readonly rejected: ReadonlyArray<{ readonly text: string; readonly message: string }>
}

/** The data that adds a removed server again. */
export interface RemovedServer {
  readonly text: string
  readonly group: string
  readonly name?: string
}

/** Changes of a server. An empty name restores the server's own name. */
export interface ServerEdit {
  readonly group?: string
  readonly name?: string
  /** All labels of its group. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A change, which may fail with a reason. */
type Changing<A> = Effect.Effect<A, { readonly message: string }>

/** The configuration as the dashboard changes it. */
export interface TargetList {
  readonly add: (servers: NewServers) => Changing<AddedServers>
  /** Removes the server with this address. */
  readonly remove: (address: string) => Changing<RemovedServer>
  readonly edit: (address: string, edit: ServerEdit) => Changing<void>
  readonly addWebhook: (webhook: WebhookConfig) => Changing<void>
  readonly removeWebhook: (name: string) => Changing<void>
}
