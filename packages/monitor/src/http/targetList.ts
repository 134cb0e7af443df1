/** The configuration that the monitor keeps itself, if neither addresses nor a file say what to watch. Its page changes it. */
import type * as Effect from "effect/Effect"
import type { WebhookConfig } from "../config/Config.ts"

/** Servers to add to a group. */
export interface NewServers {
  /** Addresses as people type them. */
  readonly addresses: ReadonlyArray<string>
  /** A group that does not exist is created (default: `mine`). */
  readonly group?: string
  /** Labels of the group; those that it has stay. */
  readonly labels?: Readonly<Record<string, string>>
  /** Names by address, as it is typed. */
  readonly names?: Readonly<Record<string, string>>
}

/** Which servers were added, by their addresses in the list, and why the others were not. */
export interface AddedServers {
  readonly added: ReadonlyArray<{ readonly text: string; readonly address: string }>
  readonly rejected: ReadonlyArray<{ readonly text: string; readonly message: string }>
}

/** What adds a removed server again. */
export interface RemovedServer {
  readonly text: string
  readonly group: string
  readonly name?: string
}

/** Changes of a server; an empty name stands for the server's own. */
export interface ServerEdit {
  readonly group?: string
  readonly name?: string
  /** Labels of its group, all of them. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A change that fails says why. */
type Changing<A> = Effect.Effect<A, { readonly message: string }>

/** The configuration, as the page changes it. */
export interface TargetList {
  readonly add: (servers: NewServers) => Changing<AddedServers>
  /** Removes the server with an address of the list. */
  readonly remove: (address: string) => Changing<RemovedServer>
  readonly edit: (address: string, edit: ServerEdit) => Changing<void>
  readonly addWebhook: (webhook: WebhookConfig) => Changing<void>
  readonly removeWebhook: (name: string) => Changing<void>
}
