/** Shows the replies of a server: its summary, settings, players and rules. */
import { useSignal } from "@preact/signals"
import { displayText } from "@sourcewire/core/text"
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import type { ComponentChild } from "preact"
import type { RulesReply } from "@sourcewire/protocol"
import type { Answer, Headline } from "../../bridge/Api.ts"
import { GameFacts, type Replies, useFacts } from "@sourcewire/ui/inspector"
import { plural } from "@sourcewire/capture"
import { Checkbox, Coloured, Facts, Players, Rules } from "@sourcewire/ui/widgets"

/** A round-trip time, with ≈ if it is ambiguous. */
export const roundTrip = ({ rttAmbiguous, rttMs }: MeasuredRoundTrip, digits: number): string =>
  `${rttAmbiguous === true ? "≈" : ""}${rttMs.toFixed(digits)} ms`

export const Cards = ({ answer }: { readonly answer: Answer }) => {
  const { challenge, errors = {}, info, players, playersAssumed, rules } = answer
  return (
    <div class="answers">
      <InfoCard answer={answer} />
      {Object.entries(errors).map(([part, error]) => (
        <p key={part} class="problem">
          {part}: {displayText(error.message)}
        </p>
      ))}
      {challenge === undefined ? null : (
        <p>
          Challenge <code>{challenge.challenge}</code>
        </p>
      )}
      {info === undefined ? null : <GameFacts info={info} players={players} rules={rules} besideSummary />}
      {players === undefined ? null : (
        <Part name="player" reply={players} count={players.players.length} open={players.players.length <= 12}>
          <Players {...players} />
        </Part>
      )}
      {playersAssumed === true ? (
        <p class="quiet">INFO reports no players. Such a server does not reply to PLAYER.</p>
      ) : null}
      {rules === undefined ? null : <RulesCard info={info} players={players} rules={rules} />}
    </div>
  )
}

const InfoCard = ({ answer: { info, summary, ...rtt } }: { readonly answer: Answer }) => (
  <section class="info-card" aria-label="Server">
    <h2>{summary === undefined ? "The server replied" : <Coloured text={summary.name} />}</h2>
    <Facts
      facts={Object.entries({ ...(info && summary && listFacts(info, summary)), "Round-trip time": roundTrip(rtt, 2) })}
    />
  </section>
)

/** The player counts of a summary as text, such as `300 of 350, 2 bots, 12 waiting to join`. */
export const formatCounts = ({ bots, maxPlayers, players, queue }: Headline): string =>
  [
    `${players} of ${maxPlayers}`,
    ...(bots === 0 ? [] : [plural(bots, "bot")]),
    ...(queue === null || queue === 0 ? [] : [`${queue} waiting to join`])
  ].join(", ")

const listFacts = (
  info: NonNullable<Answer["info"]>,
  summary: Headline
): Readonly<Record<string, string | undefined>> => ({
  Game: summary.game,
  "Game text": info.game === summary.game ? undefined : info.game,
  Map: summary.map,
  Mode: summary.mode ?? undefined,
  Players: formatCounts(summary),
  Kind: `${info.serverType}, ${info.environment}`,
  Password: summary.password ? "needed" : "none",
  VAC: info.vac ? "on" : "off",
  Version: summary.version ?? undefined,
  ...(info._tag === "InfoReply" ? { App: String(info.appId), Keywords: info.keywords } : {})
})

/** Shows the rules of a server. Some rules are also shown as settings of the game. These rules are hidden until the user checks a box. */
const RulesCard = ({ rules, ...replies }: Replies & { readonly rules: RulesReply }) => {
  const isAll = useSignal(false)
  const unread = useFacts({ ...replies, rules })?.unreadRules ?? rules.rules
  const hidden = rules.rules.length - unread.length
  return (
    <Part name="rule" reply={rules} count={rules.rules.length}>
      {hidden === 0 ? null : (
        <label class="all-rules">
          <Checkbox checked={isAll.value} set={(checked) => void (isAll.value = checked)} /> Show the{" "}
          {plural(hidden, "rule")} listed above as {hidden === 1 ? "a setting" : "settings"}
        </label>
      )}
      <Rules rules={isAll.value ? rules.rules : unread} />
    </Part>
  )
}

const Part = (props: {
  readonly name: string
  readonly reply: { readonly announced: number; readonly truncated: boolean }
  readonly count: number
  readonly open?: boolean
  readonly children: ComponentChild
}) => (
  <details open={props.open}>
    <summary>
      {plural(props.count, props.name)}
      {props.reply.truncated ? `, ${props.reply.announced} announced` : ""}
    </summary>
    <div class="table" role="region" aria-label={`Table of ${props.name}s`} tabIndex={0}>
      {props.children}
    </div>
  </details>
)
