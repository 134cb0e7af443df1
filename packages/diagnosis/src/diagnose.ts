/** Divides datagrams into conversations, and collects the findings about each conversation. */
import { challengeFindings } from "./challenges.ts"
import { contentFindings } from "./contents.ts"
import { type DiagnosedDatagram, findConversations } from "./Conversation.ts"
import { countFindings } from "./counts.ts"
import { deliveryFindings } from "./delivery.ts"
import { type Finding, SEVERITIES } from "./Finding.ts"
import { textFindings } from "./texts.ts"

/** Additional facts about the capture, if they are known. */
export interface DiagnoseOptions {
  /** Addresses of servers whose hosts reported that the port is closed (ICMP port unreachable). */
  readonly refused?: ReadonlySet<string>
}

/** A conversation with one server. */
export interface Diagnosis {
  /** Address of the server; `undefined` if the datagrams have no addresses. */
  readonly server: string | undefined
  /** Addresses of the clients, in the order of the first message of each client. */
  readonly clients: ReadonlyArray<string>
  /** Indices of the conversation's datagrams, in ascending order. */
  readonly datagrams: ReadonlyArray<number>
  /** The findings, the most serious first. Findings of the same severity are in the order of their datagrams. */
  readonly findings: ReadonlyArray<Finding>
}

/** If several findings are combined into one, it has at most this many places. */
const MAX_PLACES = 100

/** Combines findings of the same kind and text into one finding. */
const merged = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  Array.from(Map.groupBy(findings, ({ kind, text }) => `${kind} ${text}`).values(), (same): Finding => {
    const first = same[0]!
    if (same.length === 1) return first
    const places = same.flatMap((one) => one.places).slice(0, MAX_PLACES)
    return { ...first, text: `${first.text} This occurs ${same.length} times.`, places }
  })

/** Explains each conversation in a list of datagrams. Pass the datagrams in chronological order. */
export const diagnose = (
  datagrams: ReadonlyArray<DiagnosedDatagram>,
  { refused }: DiagnoseOptions = {}
): ReadonlyArray<Diagnosis> =>
  findConversations(datagrams).map((conversation) => {
    const { entries, server } = conversation
    const findings = [
      ...deliveryFindings(conversation, datagrams, server !== undefined && refused?.has(server) === true),
      ...challengeFindings(conversation),
      ...contentFindings(conversation),
      ...countFindings(conversation),
      ...textFindings(conversation)
    ]
    const rank = ({ places, severity }: Finding): number =>
      SEVERITIES.indexOf(severity) * datagrams.length + (places[0]?.datagram ?? 0)
    const clients = entries.flatMap(({ from, isRequest, to }) => (isRequest === true ? from : to) ?? [])
    return {
      server,
      clients: [...new Set(clients)],
      datagrams: entries.flatMap((entry) => entry.datagrams).toSorted((a, b) => a - b),
      findings: merged(findings).toSorted((a, b) => rank(a) - rank(b))
    }
  })

/**
 * Explains a single message with its header (FF FF FF FF). The findings report decoding errors, truncated lists, and message forms that
 * some parsers do not support.
 */
export const diagnoseMessage = (bytes: Uint8Array): ReadonlyArray<Finding> =>
  findConversations([{ bytes }]).flatMap((conversation) => [...contentFindings(conversation)])
