/**
 * Counts the requests that each server of a farm received. Retransmissions are not counted, because their number depends on the speed of
 * the machine. In a query, a client sends a request without a challenge, and then the same request with a challenge. Therefore, of
 * consecutive requests of one kind, at most two are counted: the first without a challenge, and the first with a challenge. The rest of
 * these consecutive requests are retransmissions.
 */
import { MessageType } from "@sourcewire/protocol/wire"

/** Length of an INFO request without a challenge. */
const INFO_LENGTH = 25

/** Whether a request contains a challenge. */
const hasChallenge = (datagram: Uint8Array, kind: number): boolean =>
  kind === MessageType.A2S_INFO
    ? datagram.length > INFO_LENGTH
    : kind === MessageType.A2S_PLAYER && new DataView(datagram.buffer, datagram.byteOffset).getInt32(5, true) !== -1

export class DistinctRequests {
  /**
   * For each server, `kinds` contains the kind of the last request that it received. `forms` contains the forms of the requests that the
   * server has received since this kind changed for the last time: 1 (without a challenge), 2 (with a challenge) or 3 (both forms).
   */
  private readonly kinds: Uint8Array
  private readonly forms: Uint8Array
  private readonly counts: Uint8Array
  private readonly handshakes: Uint8Array
  /** Number of counted requests to all servers. */
  total = 0

  constructor(servers: number) {
    this.kinds = new Uint8Array(servers)
    this.forms = new Uint8Array(servers)
    this.counts = new Uint8Array(servers)
    this.handshakes = new Uint8Array(servers)
  }

  add(server: number, datagram: Uint8Array): void {
    const kind = datagram[4] ?? 0
    // Handshake requests are never retransmitted, so each of them is counted.
    if (kind === MessageType.A2S_GETCHALLENGE) this.handshakes[server]!++
    if (kind !== this.kinds[server]) this.forms[server] = 0
    this.kinds[server] = kind
    const form = hasChallenge(datagram, kind) ? 2 : 1
    if ((this.forms[server]! & form) !== 0) return
    this.forms[server]! |= form
    this.counts[server]!++
    this.total++
  }

  /** The number of counted requests to the server that received most of them. */
  get most(): number {
    return this.counts.reduce((most, count) => Math.max(most, count), 0)
  }

  get mostHandshakes(): number {
    return this.handshakes.reduce((most, count) => Math.max(most, count), 0)
  }
}
