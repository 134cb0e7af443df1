/**
 * One request per server at a time, since replies carry no number by which two could be told apart. Others wait, however many: nobody who
 * queries one server ten thousand times is turned away.
 */
import { type Groups, Line } from "../engine/Dispatcher.ts"

/** The requests of a client, by their servers. */
export class OnePerServer<R extends { readonly key: number | string }> implements Groups<R> {
  /** Servers that a request is in flight to, or may be soon; with the requests behind it, if there ever were any. */
  private readonly servers = new Map<number | string, Line<R> | undefined>()

  admit(request: R): boolean {
    const { key } = request
    const line = this.servers.get(key)
    if (line !== undefined) line.add(request)
    else if (this.servers.has(key)) this.servers.set(key, new Line<R>().add(request))
    else this.servers.set(key, undefined)
    return line === undefined && this.servers.get(key) === undefined
  }

  release({ key }: R): R | undefined {
    const next = this.servers.get(key)?.shift()
    if (next === undefined) this.servers.delete(key)
    return next
  }

  withdraw(request: R): void {
    this.servers.get(request.key)?.delete(request)
  }

  clear(): ReadonlyArray<R> {
    const waiting = [...this.servers.values()].flatMap((line) => [...(line ?? [])])
    this.servers.clear()
    return waiting
  }
}
