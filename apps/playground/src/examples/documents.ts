/** The documents that define the protocol, as the repository's `docs/protocol` says of each. */

/** By number. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  "000":
    'Valve\'s "Server Queries" of 2004, as shipped with qstat. The oldest layout of INFO, and GETCHALLENGE as a query of its own.',
  "001": "The Valve developer wiki in English, about 2010.",
  "002": "A Czech tutorial on Half-Life 1 of 2008. Only it has GoldSource's RCON over UDP.",
  "003": "The Valve developer wiki in Russian, after 2020. Only it has the challenge of A2S_INFO.",
  "004":
    "An unofficial description of the Source engine's protocol. Only it has the handshake and the header of connection-based messages."
}
