/**
 * Counts the requests that each server of a farm received. Retransmissions are not counted, because their number depends on the speed of
 * the machine. In a query, a client sends a request without a challenge, and then the same request with a challenge. Therefore, if a server
 * receives several requests of one kind in a row, at most two of them are counted: the first request without a challenge, and the first
 * request with a challenge. All other requests in the row are retransmissions.
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
   * For each server, `kinds` contains the kind of the last request that the server received. `forms` shows which requests the server has
   * received since its last request of another kind: 1 (without a challenge), 2 (with a challenge) or 3 (with and without).
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
    // A client never retransmits a handshake request, so `handshakes` counts all handshake requests.
    if (kind === MessageType.A2S_GETCHALLENGE) this.handshakes[server]!++
    if (kind !== this.kinds[server]) this.forms[server] = 0
    this.kinds[server] = kind
    const form = hasChallenge(datagram, kind) ? 2 : 1
    if ((this.forms[server]! & form) !== 0) return
    this.forms[server]! |= form
    this.counts[server]!++
    this.total++
  }

  /** The highest number of counted requests that one server received. */
  get most(): number {
    return this.counts.reduce((most, count) => Math.max(most, count), 0)
  }

  get mostHandshakes(): number {
    return this.handshakes.reduce((most, count) => Math.max(most, count), 0)
  }
}
