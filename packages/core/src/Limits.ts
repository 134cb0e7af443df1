/**
 * Default values and fixed limits of clients and scans, with the reasons for most of these values.
 *
 * @module
 */

/** Default timeout of a query, in ms. Most other libraries and game browsers use this value. */
export const DEFAULT_TIMEOUT_MS = 3000

/**
 * Default maximum number of retransmissions while no reply arrives. For an offline server, six retransmissions fit into the default
 * timeout. If the round-trip time of a server is known, the delays can be shorter, and up to eight retransmissions fit. Many
 * retransmissions are useful: with 10 % packet loss in each direction, a reply in three fragments arrives incomplete or not at all for a
 * third of the requests.
 */
export const DEFAULT_RETRIES = 8

/**
 * Maximum number of challenges that a client sends back in one exchange, if the server rejects each of them with a further challenge. Real
 * servers send at most two challenges.
 */
export const MAX_CHALLENGE_ROUNDS = 8

/**
 * Maximum number of times that the client repeats its request without delay because the server has sent the same challenge again. After
 * this number of repetitions, the client waits until the next retransmission is due. The reason for this limit: after a stall of the
 * network, the replies to all earlier transmissions arrive together, and each of them contains the challenge. If the client repeated its
 * request for each of these challenges, the server would reply several times, and the surplus replies would disturb the next query.
 */
export const MAX_SAME_CHALLENGES = 2

/**
 * Delay before the first retransmission, in ms, while no round-trip time is known. This delay is longer than the usual round-trip time to
 * the other side of the world.
 */
export const INITIAL_RTO_MS = 300

/**
 * Maximum delay before the first retransmission, as a share of the timeout, so that several transmissions fit into a short timeout. The
 * maximum does not apply if the server's round-trip time is known to be longer than the maximum.
 */
export const INITIAL_RTO_SHARE = 0.2

/** Minimum delay before a retransmission, in ms. Some game servers read their socket only once per frame, and a frame takes up to 50 ms. */
export const MIN_RTO_MS = 100

/**
 * Factor by which the delay grows with each retransmission. The factor is small, because an exchange sends few datagrams, and packet loss
 * is more likely than an overloaded server.
 */
export const BACKOFF_FACTOR = 1.15

/** Maximum share by which each delay is lengthened or shortened at random, so that many queries do not retransmit at the same time. */
export const JITTER = 0.1

/**
 * If a client receives an INFO reply in the old dialect: minimum time for which it waits for a reply in the new dialect, in ms. Servers
 * that send both replies send them within a millisecond.
 */
export const SECOND_DIALECT_MS = 75

/**
 * Minimum delay before the retransmission that follows a reply of an unexpected type, in ms. This delay replaces the usual retransmission
 * delay.
 */
export const WRONG_KIND_MS = 50

/**
 * Maximum number of times that the client sends the same request for a list to a master. The client stops earlier if at least two of these
 * requests have each returned all addresses that the client knows so far. With 5 % packet loss, a list in nine datagrams needs three or
 * four requests.
 */
export const MAX_MASTER_ROUNDS = 8

/**
 * Delay between the PLAYER request and the RULES request, if the client does not wait for the reply to PLAYER, in ms. There must be a
 * delay, because an exchange can send only one datagram per step. If the server is on the client's own network, it replies to PLAYER within
 * this delay, so that the two requests are not in flight at the same time.
 */
export const BESIDE_AFTER_MS = 1

/**
 * How long a client uses a received challenge for further queries to the same server, in ms. Some caches in front of servers reject a
 * challenge that is older than 1.3 s.
 */
export const CHALLENGE_CACHE_MS = 1000

/** Delay before a retry if this host could not send (no route, interface down, no buffers), in ms. */
export const LOCAL_RETRY_MS = 100

/**
 * If deadlines are overdue: maximum number of waiting datagrams that are processed before these deadlines. A receive queue of usual size
 * can contain about this number of datagrams.
 */
export const MAX_OVERDUE_DATAGRAMS = 256

/**
 * Maximum number of addresses of completed queries that a socket stores. With these addresses, the socket distinguishes late replies from
 * datagrams of senders that were not queried.
 */
export const MAX_REMEMBERED_REMOTES = 1024

/**
 * Maximum number of servers that a new client queries at the same time. This number is small, so that datagrams do not wait in queues, and
 * the first round-trip times are accurate.
 */
export const FIRST_WINDOW = 16

/**
 * Maximum number of servers that a client queries at the same time. Servers that seem to be dead are not counted. If a call would exceed
 * this number, it waits.
 */
export const MAX_WINDOW = 256

/** Maximum number of servers that a client queries at the same time, including servers that seem to be dead. */
export const MAX_IN_FLIGHT = 1000

/**
 * How long after the start of a call an equal call can still use the same query, as a share of the time limit. Later, too little of the
 * time limit would be left for the second call.
 */
export const JOINABLE_SHARE = 0.1

/**
 * Maximum number of connected sockets of a client. If a query needs a further socket, it shares an unconnected socket with other queries.
 */
export const MAX_CONNECTED_SOCKETS = 256

/**
 * If a client has this number of connected sockets of one IP version, it also opens an unconnected socket as a reserve. Queries share the
 * reserve if the system cannot open more sockets.
 */
export const RESERVE_FROM = 8

/**
 * If the system cannot open more sockets, a client limits the number of its connected sockets to this share of the sockets in use. The
 * limit applies for a few seconds, so that other programs can open sockets.
 */
export const SCARCE_SHARE = 0.75

/** Maximum number of unconnected sockets of a client per IP version. */
export const MAX_SHARED_SOCKETS = 16

/** How long a connected socket stays open for the next query to its address, in ms. */
export const SOCKET_IDLE_MS = 5000

/** Maximum number of servers whose round-trip times a client stores. */
export const MAX_REMEMBERED_ROUND_TRIPS = 4096

/** Default maximum number of targets in flight in a scan. */
export const SCAN_CONCURRENCY = 1000

/**
 * Default maximum number of retransmissions of a scan while no reply arrives. With 1 % packet loss in each direction, only one query in 300
 * million loses all five transmissions or their replies.
 */
export const SCAN_RETRIES = 4

/**
 * Minimum time limit of a target in a scan, in ms, even if all other targets reply much sooner. This time suffices for two round trips to
 * the other side of the world, one for the challenge and one for the reply.
 */
export const SCAN_PATIENCE_MS = 1000

/**
 * Minimum delay before a retransmission of a scan, in ms. This delay is longer than {@link MIN_RTO_MS}, because no user waits for a single
 * target. With a shorter delay, a short stall of the network or of this host could cause a thousand retransmissions.
 */
export const SCAN_MIN_RTO_MS = 150

/**
 * How long a scan waits if this host loses its network connection, in ms. This time suffices for a wireless link to reconnect. If an outage
 * lasts longer, the targets time out as usual. After that, the scan waits in a further outage only if it has received a datagram in the
 * meantime.
 */
export const SCAN_OUTAGE_MS = 15_000

/** How long a scan waits, in ms, if this host cannot send or cannot open a socket, and the scan has not received any datagram yet. */
export const SCAN_FIRST_OUTAGE_MS = 5000

/**
 * Maximum number of datagrams that an exchange accepts from its server. Even five replies with 255 fragments each (the maximum) consist of
 * only 1275 datagrams.
 */
export const MAX_TARGET_DATAGRAMS = 4096

/** Default maximum number of targets in flight at one address. Hosting companies run dozens of servers at one address. */
export const SCAN_PER_HOST = 64

/** Default maximum number of targets in flight in one network (IPv4 /24 or IPv6 /48). */
export const SCAN_PER_NETWORK = 512

/** Requested size of a scan's receive queue, in bytes. Without privileges, a program usually gets a smaller queue on Linux. */
export const SCAN_RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024

/** Assumed size of a receive queue in bytes, if the system does not report the size. This value is the default size on Linux. */
export const DEFAULT_RECEIVE_BUFFER_BYTES = 212_992

/** Maximum number of sockets of a scan per IP version. */
export const MAX_SCAN_SOCKETS = 16

/** Maximum number of host names whose addresses a scan stores. */
export const MAX_REMEMBERED_NAMES = 4096

/** Maximum number of parallel name lookups of a scan. Runtimes use a few threads for lookups, and other code needs these threads, too. */
export const MAX_LOOKUPS = 16
