/**
 * Starts an emulated server, with which the user can test a client. The server replies with the selected bytes to every request of the kind
 * that the user chooses.
 */
import { signal, useSignal } from "@preact/signals"
import { plural } from "@sourcewire/capture"
import { toHex } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import { Alert, Button, Checkbox, Form, Select, Submit } from "@sourcewire/ui/widgets"
import type { Emulated } from "../../bridge/Api.ts"
import type { GivenReply } from "../../engine/GivenReply.ts"
import { formatReplies } from "../../engine/formatReplies.ts"
import { NetworkChoice } from "../network/NetworkChoice.tsx"
import { networkName } from "../network/networks.ts"
import { complaint, start } from "../query/emulated.ts"
import { queryServer } from "../query/exchange.ts"
import { save } from "../explain/save.ts"
import { REQUESTS } from "./spellings.ts"
import { chosenDatagrams, datagrams, inspection, rows } from "./workbench.ts"

const KINDS: Readonly<Record<GivenReply["request"], string>> = {
  info: "A2S_INFO",
  players: "A2S_PLAYER",
  rules: "A2S_RULES",
  ping: "A2A_PING",
  getChallenge: "A2S_SERVERQUERY_GETCHALLENGE"
}

/**
 * The challenge that the server sends if the list of datagrams contains no challenge. This challenge need not be secret, because only
 * programs on the same computer can reach the server.
 */
const CHALLENGE = "ffffffff4157530000"

/** Returns the last challenge in the list of datagrams, or `CHALLENGE` if the list contains no challenge. */
const findChallenge = (): string => {
  const row = rows.value.findLast(({ tag }) => tag === "ChallengeReply")
  return row === undefined ? CHALLENGE : toHex(datagrams.value[row.datagrams[0]!]!.bytes)
}

/**
 * The replies that the user has added, at most one for each kind of request. They are stored as bytes, so they do not change when the user
 * selects another row.
 */
const replies = signal<ReadonlyArray<GivenReply>>([])

const isChallenged = (kind: GivenReply["request"]): boolean => kind !== "ping" && kind !== "getChallenge"

export const ServePanel = () => {
  const tag = inspection.anatomy.value?.message?._tag ?? ""
  const chosen = useSignal<GivenReply["request"] | undefined>(undefined)
  const requireChallenge = useSignal(true)
  const started = useSignal<Emulated | undefined>(undefined)
  const kind = chosen.value ?? REQUESTS[tag] ?? "info"
  const withThese = (): ReadonlyArray<GivenReply> => [
    ...replies.value.filter(({ request }) => request !== kind),
    {
      request: kind,
      ...(requireChallenge.value && isChallenged(kind) ? { challenge: findChallenge() } : {}),
      datagrams: chosenDatagrams().map((bytes) => toHex(bytes))
    }
  ]
  const serve = async (): Promise<void> => {
    replies.value = withThese()
    started.value = await start({ profile: "css", faults: [], count: 1, replies: replies.value })
  }
  return (
    <div class="serve" role="group" aria-label="Serve these bytes">
      <NetworkChoice />
      <Form class="bar" onSubmit={serve}>
        <label>
          Reply to <Select value={kind} options={KINDS} choose={(request) => void (chosen.value = request)} />
        </label>
        <label>
          <Checkbox checked={requireChallenge.value} set={(checked) => void (requireChallenge.value = checked)} />{" "}
          Require a challenge first
        </label>
        <Submit>Start server</Submit>
        <Button onClick={() => void (replies.value = withThese())}>Add without starting</Button>
        <Button
          title="For sourcewire serve --replies replies.json"
          onClick={() => {
            replies.value = withThese()
            save("replies.json", [formatReplies(replies.value)], "application/json")
          }}
        >
          Save serve profile
        </Button>
      </Form>
      {findDeclaration(tag)?.direction === "request" ? (
        <p>
          The chosen message is a request. Choose a reply in the list, unless your client should get a request back.
        </p>
      ) : null}
      {replies.value.length === 0 ? null : (
        <ul class="running" aria-label="Replies of the server">
          {replies.value.map(({ datagrams, request }) => (
            <li key={request}>
              <code>{KINDS[request]}</code> <span class="quiet">{plural(datagrams.length, "datagram")}</span>
              <Button onClick={() => void (replies.value = replies.value.filter((one) => one.request !== request))}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">Requests of other kinds get the replies of an emulated Counter-Strike: Source server.</p>
      <Alert text={complaint.value} />
      {started.value === undefined ? null : (
        <p role="status" class="served">
          {networkName.value === "bridge" ? "Point your client at" : "In this page, a server listens on"}{" "}
          <code>{started.value.address}</code>.{" "}
          <Button onClick={() => started.value !== undefined && queryServer(started.value.address)}>Query it</Button>
          {networkName.value === "bridge" ? null : (
            <span class="quiet"> To reach it with your own client, start the bridge.</span>
          )}
        </p>
      )}
    </div>
  )
}
