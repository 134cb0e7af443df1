/** An answer for people: what the server says of itself, who plays, its rules. */
import { displayText } from "@sourcewire/core/text"
import type { MeasuredRoundTrip } from "@sourcewire/core/machines"
import type { ComponentChild } from "preact"
import type { Answer } from "../../bridge/Api.ts"
import { GameFacts } from "../inspector/GameFacts.tsx"
import { plural } from "@sourcewire/capture"
import { Coloured } from "../widgets/Coloured.tsx"
import { Facts } from "../widgets/Facts.tsx"
import { Players, Rules } from "../widgets/Replies.tsx"

/** A round trip, with ≈ where it is a guess. */
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
      {info === undefined ? null : <GameFacts info={info} players={players} rules={rules} />}
      {players === undefined ? null : (
        <Part name="player" reply={players} count={players.players.length} open={players.players.length <= 12}>
          <Players {...players} />
        </Part>
      )}
      {playersAssumed === true ? (
        <p class="quiet">Nobody plays, by what the server says of itself; to PLAYER it says nothing then.</p>
      ) : null}
      {rules === undefined ? null : (
        <Part name="rule" reply={rules} count={rules.rules.length}>
          <Rules {...rules} />
        </Part>
      )}
    </div>
  )
}

const InfoCard = ({ answer: { info, ...rtt } }: { readonly answer: Answer }) => (
  <section class="info-card" aria-label="Server">
    <h2>{info === undefined ? "Answered" : <Coloured text={info.name} />}</h2>
    <Facts facts={Object.entries({ ...(info && factsOf(info)), "Round trip": roundTrip(rtt, 2) })} />
  </section>
)

const factsOf = (info: NonNullable<Answer["info"]>): Readonly<Record<string, string | undefined>> => ({
  Game: info.game,
  Map: info.map,
  Players: `${info.players} of ${info.maxPlayers}${info.bots === undefined ? "" : `, ${plural(info.bots, "bot")}`}`,
  Kind: `${info.serverType}, ${info.environment}`,
  Password: info.passwordProtected ? "needed" : "none",
  VAC: info.vac ? "on" : "off",
  ...(info._tag === "InfoReply" ? { Version: info.version, App: String(info.appId), Keywords: info.keywords } : {})
})

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
