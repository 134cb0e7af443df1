/**
 * Every number of the client side that is neither the protocol's nor the user's, with its reason.
 *
 * @module
 */

/** Time allowed for one query unless told otherwise, in ms: what most peers and game browsers use. */
export const DEFAULT_TIMEOUT_MS = 3000

/**
 * Retransmissions in silence unless told otherwise. Of a dead server's, six fit into the default timeout, the rest is for servers
 * known to live, whose round trip lets them come sooner: where a tenth is lost each way, one question in three for a reply in three
 * fragments fails.
 */
export const DEFAULT_RETRIES = 8

/** Challenges in a row, each in answer to the one before, that are followed: real servers ask twice at most. */
export const MAX_CHALLENGE_ROUNDS = 8

/**
 * Times in a row that the same challenge is answered at once; after that, only when nothing else comes. Challenges asked for by
 * earlier transmissions arrive late and all at once behind a stall, and answering each would bring as many answers into the next query.
 */
export const MAX_SAME_CHALLENGES = 2

/** First retransmission, in ms, while no round trip is known: above the usual round trip to the other side of the world. */
export const INITIAL_RTO_MS = 300

/** A first retransmission takes no more than this part of the timeout unless the server is known to be slower, so that a short timeout has several tries. */
export const INITIAL_RTO_SHARE = 0.2

/** Shortest wait before a retransmission, in ms: some engines read their socket once per frame, up to 50 ms apart. */
export const MIN_RTO_MS = 100

/** Each further wait is this much longer: gently, since the rate is low and a lost datagram is likelier than a crowded server. */
export const BACKOFF_FACTOR = 1.15

/** Waits vary by this part up and down, so that many queries do not retransmit in step. */
export const JITTER = 0.1

/** Least wait, in ms, for the second dialect of an INFO reply after the old one: servers send both within a millisecond. */
export const SECOND_DIALECT_MS = 75

/** Least wait, in ms, before asking again when the answer was of another kind. */
export const WRONG_KIND_MS = 50

/**
 * Times that a master is asked for one answer in all, until two have brought everything. Where a twentieth of the datagrams is lost, a
 * list in nine of them takes three or four.
 */
export const MAX_MASTER_ROUNDS = 8

/**
 * Delay between PLAYER and RULES, in ms, if the client sends both before it has a reply. An exchange sends one datagram at a time, and a
 * server on the same network replies within that time, so that its queries follow each other.
 */
export const BESIDE_AFTER_MS = 1

/** A challenge that is kept for the next query to the same server is trusted for this many ms: some caches forget it after 1.3 s. */
export const CHALLENGE_KEPT_MS = 1000

/** What this machine could not send (no route, interface down, no buffers) is tried again after this many ms. */
export const LOCAL_RETRY_MS = 100

/** Datagrams that are received while a deadline is overdue, until the deadline goes first: as many as a usual receive queue holds. */
export const MAX_OVERDUE_DATAGRAMS = 256

/** Addresses whose queries have ended that a socket remembers, to tell late replies from what nobody asked for. */
export const MAX_REMEMBERED_REMOTES = 1024

/** Servers that a client queries at the same time in the beginning: few, so that the first round-trip times contain no waiting. */
export const FIRST_WINDOW = 16

/** Servers that a client queries at the same time, without those that seem to be dead. Further calls wait. */
export const MAX_WINDOW = 256

/** Servers that a client queries at the same time, with those that seem to be dead. */
export const MAX_IN_FLIGHT = 1000

/** A call may be joined by an equal one until it has used up this part of its time: whoever joins is to have his time too. */
export const JOINABLE_SHARE = 0.1

/** Connected sockets that a client opens; further queries share unconnected ones. */
export const MAX_CONNECTED_SOCKETS = 256

/** From so many connected sockets of a family on, a client keeps an unconnected one in reserve, to be shared when the system has no more. */
export const RESERVE_FROM = 8

/** Part of the connected sockets in use that a client goes on with, for a while, when the system has no more: others need some too. */
export const SCARCE_SHARE = 0.75

/** Unconnected sockets of one family that a client opens. */
export const MAX_SHARED_SOCKETS = 16

/** A connected socket is kept for the next query to its address for this many ms. */
export const SOCKET_IDLE_MS = 5000

/** Servers whose round trip a client remembers. */
export const MAX_REMEMBERED_ROUND_TRIPS = 4096

/** Targets of a scan in flight unless told otherwise. */
export const SCAN_CONCURRENCY = 1000

/** Retransmissions of a scan in silence: with one datagram in a hundred lost each way, five tries miss one question in 300 million. */
export const SCAN_RETRIES = 4

/**
 * Least time a scan gives a target, in ms, however quick the others are: two round trips to the other side of the world, since the
 * challenge takes one too.
 */
export const SCAN_PATIENCE_MS = 1000

/**
 * Shortest wait before a retransmission of a scan, in ms. Longer than for a single query: nobody waits for one target, and a moment's
 * stall of network or machine must not repeat a thousand questions.
 */
export const SCAN_MIN_RTO_MS = 150

/**
 * How long a scan waits for this machine's network to come back, in ms: longer than a radio link takes to be found again. What lasts
 * longer is not waited for a second time.
 */
export const SCAN_OUTAGE_MS = 15_000

/** The same, in ms, before anything has come through: perhaps there is no network, or no socket to be had. */
export const SCAN_FIRST_OUTAGE_MS = 5000

/**
 * Datagrams that a query takes from one server: a reply in 255 fragments after each of five transmissions, all of it twice, and more.
 * Whoever sends more is not listened to any longer.
 */
export const MAX_TARGET_DATAGRAMS = 4096

/** Targets of a scan in flight at one address unless told otherwise: hosting companies run dozens of servers on one. */
export const SCAN_PER_HOST = 64

/** Targets of a scan in flight in one IPv4 /24 or IPv6 /48 unless told otherwise. */
export const SCAN_PER_NETWORK = 512

/** Receive queue that a scan asks the system for, in bytes: what Linux usually allows at most without privileges is less. */
export const SCAN_RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024

/** What a receive queue holds where the system does not tell, in bytes: the default of Linux. */
export const USUAL_RECEIVE_BUFFER_BYTES = 212_992

/** Sockets of one family that a scan opens. */
export const MAX_SCAN_SOCKETS = 16

/** Host names that a scan remembers the addresses of. */
export const MAX_REMEMBERED_NAMES = 4096

/** Host names that a scan looks up at once: runtimes do it in a few threads, which others need too. */
export const MAX_LOOKUPS = 16
