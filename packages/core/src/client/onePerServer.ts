/**
 * Allows one request per server at a time, because replies contain no number that identifies their request. Further requests to the server
 * wait.
 */
import { type Dispatched, type Dispatching, type Groups, Line } from "../engine/Dispatcher.ts"

/** The requests of a client, grouped by server. */
export class OnePerServer<R extends Dispatched<R> & { readonly key: number | string }> implements Groups<R> {
  readonly countsOverdue = true
  /**
   * Servers with a request that is in flight or about to start. The value is the queue (`Line`) of the requests that wait until this
   * request ends. If no request has had to wait, the value is `undefined`.
   */
  private readonly servers = new Map<number | string, Line<R> | undefined>()

  admit({ key, entry }: R): boolean {
    const { servers } = this
    let line = servers.get(key)
    if (line === undefined && !servers.has(key)) {
      servers.set(key, undefined)
      return true
    }
    if (line === undefined) servers.set(key, (line = new Line()))
    line.add(entry)
    return false
  }

  release({ key }: R): R | undefined {
    const line = this.servers.get(key)
    const next = line?.oldest
    if (next === undefined) this.servers.delete(key)
    else line!.remove(next)
    return next?.request
  }

  withdraw(dispatcher: Dispatching<R>): ReadonlyArray<R> {
    const isOfDispatcher = (entry: R["entry"]): boolean => entry.dispatcher === dispatcher
    return [...this.servers.values()].flatMap((line) => line?.take(isOfDispatcher) ?? [])
  }
}
