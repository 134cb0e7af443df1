/**
 * What real servers send, recorded on loopback, and what we made with our own encoder where neither a document nor a recording has an
 * example.
 *
 * @module
 */
import type { Example } from "./Example.ts"

const xash = "recorded from Xash3D FWGS 0.21"
const rehlds = "recorded from ReHLDS 1.0.1.4"
const hltv = "recorded from an HLTV proxy"
const qfusion = "observed on qfusion (Warsow)"
const made = "made with this library"

/** In groups, the most surprising first. */
export const fieldExamples: ReadonlyArray<{ readonly title: string; readonly examples: ReadonlyArray<Example> }> = [
  {
    title: "Strange things that real servers send",
    examples: [
      {
        id: "xash-rules-count-0",
        title: "No rules, says the count",
        source: xash,
        look: "The count is 0, and then come more than 8000 bytes of rules: more than the engine’s buffer holds, so it never wrote the count."
      },
      {
        id: "rehlds-getchallenge",
        title: "An A that is no challenge",
        source: rehlds,
        look: "The type byte is that of S2C_CHALLENGE, but digits follow as text. Read as four bytes they would be a wrong challenge."
      },
      {
        id: "qfusion-challenge",
        title: "The challenge is 0",
        source: qfusion,
        look: "It is always 0 on this engine. A client that takes 0 for “none” never gets its answer."
      },
      {
        id: "hltv-info",
        title: "INFO without its last byte",
        source: hltv,
        look: "The dialect of GoldSource, but the number of bots is missing. The message just ends after VAC."
      },
      {
        id: "hltv-info-255",
        title: "INFO with eight bytes too many",
        source: hltv,
        look: "With 255 slots the proxy adds two 32-bit numbers: the slots no longer fit into their byte."
      },
      {
        id: "hltv-ping",
        title: "A pong of 1400 bytes",
        source: hltv,
        look: "One letter j and 1395 zeros in answer to five bytes. This is what amplification looks like."
      },
      {
        id: "xash-players",
        title: "Bots have been here for −1 seconds",
        source: xash,
        look: "The duration of bots is −1.0, names hold colour codes and UTF-8, and a score may be negative."
      },
      {
        id: "xash-info",
        title: "INFO of Xash3D",
        source: xash,
        look: "Type 0x49 with the application 0, bots counted as players, and no flags after the version."
      },
      {
        id: "xash-info-utf8",
        title: "A name in UTF-8",
        source: xash,
        look: "Four of the characters take more than one byte each: compare the length of the field with that of the name."
      },
      {
        id: "qfusion-nobody",
        title: "Nobody is playing",
        source: qfusion,
        look: "Six bytes. Other servers say the same by not answering at all."
      },
      {
        id: "cacher-challenge",
        title: "A cache asks for proof",
        source: "recorded from SourceEngineQueryCacher",
        look: "It stands in front of a game server and forgets its challenge after about a second: wait too long and it is silent."
      },
      {
        id: "hltv-players",
        title: "The players of a proxy",
        source: hltv,
        look: "INFO says 0 players, this says 4: those of the game that is being shown, the proxy among them."
      },
      {
        id: "hltv-details",
        title: "A reply of the type C",
        source: hltv,
        look: "The answer to the old query “info”. No document has it, so its payload is shown as bytes."
      },
      {
        id: "hltv-infostring",
        title: "Keys and values between backslashes",
        source: hltv,
        look: "The oldest format of all, from the time of Quake. Known by its letter only."
      },
      {
        id: "xash-ack",
        title: "A pong that says “ack”",
        source: xash,
        look: "Other engines answer “ping” with the letter j."
      },
      {
        id: "xash-print",
        title: "One printed line",
        source: xash,
        look: "Remote console in Quake’s manner: “print”, a newline, a line of text, one datagram for each."
      }
    ]
  },
  {
    title: "Remote console over UDP",
    examples: [
      {
        id: "rehlds-rcon-challenge",
        title: "A challenge in decimal digits",
        source: rehlds,
        look: "For commands the number is text. It stays the same as long as the server runs."
      },
      {
        id: "made-rcon",
        title: "A command with its password",
        source: made,
        look: "The password crosses the network as it is, in every command."
      },
      {
        id: "rehlds-rcon-echo",
        title: "The answer to a command",
        source: rehlds,
        look: "Text behind an l, and two NULs at the end where one would do."
      },
      {
        id: "rehlds-rcon-nothing",
        title: "A command that prints nothing",
        source: rehlds,
        look: "An empty text is an answer too: the command was done."
      },
      {
        id: "rehlds-split-print",
        title: "A line of output, split",
        source: rehlds,
        look: "1404 bytes of text, and the last 13 of them travel in a datagram of their own. Nothing says that this was the last part."
      },
      {
        id: "rehlds-no-password",
        title: "No password is set",
        source: rehlds,
        look: "Two lines of text where others send one."
      },
      {
        id: "rehlds-wrong-challenge",
        title: "No challenge for your address",
        source: rehlds,
        look: "Not an l but a 9: the type that otherwise refuses a connection. The way out is a new challenge."
      },
      {
        id: "ban",
        title: "Banned",
        source: made,
        look: "The sixth wrong password within half a minute brings this, from then on in reply to everything."
      }
    ]
  },
  {
    title: "Split and cut replies",
    examples: [
      {
        id: "made-compressed",
        title: "Compressed with bzip2",
        source: made,
        look: "96 rules, 2485 bytes, in 637 bytes of two datagrams. Only the first has size and CRC32. Below the datagrams stands what they inflate to."
      },
      {
        id: "made-no-size",
        title: "The old header without a size",
        source: made,
        look: "Two bytes less per fragment, and nothing that says so: where a message begins shows the layout."
      },
      {
        id: "made-truncated",
        title: "Cut at 1260 bytes",
        source: made,
        look: "What Source of 2007 did with a reply that was too large. The last rule is cut in the middle, and none of the others is missing."
      },
      {
        id: "made-edf",
        title: "INFO with extra data",
        source: made,
        look: "One byte of flags says which fields follow. Their order is not the order of the bits."
      }
    ]
  },
  {
    title: "Joining, logs, master servers",
    examples: [
      {
        id: "made-handshake-request",
        title: "The handshake begins",
        source: made,
        look: "The client chooses a number, by which it knows the answer again."
      },
      {
        id: "made-handshake",
        title: "The handshake’s challenge",
        source: made,
        look: "The type byte of S2C_CHALLENGE again, but a magic number follows, and both challenges."
      },
      { id: "rehlds-reject", title: "Connection rejected", source: rehlds, look: "Why not is told in a text." },
      {
        id: "made-connection",
        title: "A message of an open connection",
        source: made,
        look: "No FF in front any more: it begins with the numbers of this message and of the one that it answers."
      },
      {
        id: "made-log",
        title: "A line of a Source server’s log",
        source: made,
        look: "Sent to every address that was given with logaddress_add."
      },
      {
        id: "made-log-secret",
        title: "A line with a secret",
        source: made,
        look: "The digits in front prove which server it comes from."
      },
      {
        id: "made-log-goldsource",
        title: "A line of a GoldSource server’s log",
        source: made,
        look: "The type byte is that of a printed text; the word log tells the two apart."
      },
      {
        id: "made-master-request",
        title: "A question to a master server",
        source: made,
        look: "No FF in front either. The filter is text between backslashes."
      },
      {
        id: "made-master",
        title: "A page of addresses",
        source: made,
        look: "Six bytes each, in network order, unlike everything else here. 0.0.0.0:0 ends the list."
      }
    ]
  }
]
