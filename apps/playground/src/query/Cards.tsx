/** An answer for people: what the server says of itself, who plays, its rules. */
import type { PlayersReply, RulesReply } from "@sourcewire/protocol"
import { displayText } from "@sourcewire/core/text"
import type { MeasuredRoundTrip } from "@sourcewire/core/machines"
import type { ComponentChild } from "preact"
import type { Answer } from "../../bridge/Api.ts"
import { GameFacts } from "../inspector/GameFacts.tsx"
import { plural } from "@sourcewire/capture"
import { Coloured } from "../widgets/Coloured.tsx"
import { Heads } from "../widgets/Heads.tsx"

/** A round trip, with ≈ where it is a guess. */
export const roundTrip = ({ rttAmbiguous, rttMs }: MeasuredRoundTrip, digits: number): string =>
  `${rttAmbiguous === true ? "≈" : ""}${rttMs.toFixed(digits)} ms`

export const Cards = ({ answer }: { readonly answer: Answer }) => (
  <div class="answers">
    <InfoCard answer={answer} />
    {Object.entries(answer.errors ?? {}).map(([part, error]) => (
      <p key={part} class="problem">
        {part}: {displayText(error.message)}
      </p>
    ))}
    {answer.challenge === undefined ? null : (
      <p>
        Challenge <code>{answer.challenge.challenge}</code>
      </p>
    )}
    {answer.info === undefined ? null : <GameFacts info={answer.info} players={answer.players} rules={answer.rules} />}
    {answer.players === undefined ? null : <Players reply={answer.players} />}
    {answer.playersAssumed === true ? (
      <p class="quiet">Nobody plays, by what the server says of itself; to PLAYER it says nothing then.</p>
    ) : null}
    {answer.rules === undefined ? null : <Rules reply={answer.rules} />}
  </div>
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

const InfoCard = ({ answer: { info, ...rtt } }: { readonly answer: Answer }) => (
  <section class="info-card" aria-label="Server">
    <h2>{info === undefined ? "Answered" : <Coloured text={info.name} />}</h2>
    <dl>
      {Object.entries({ ...(info && factsOf(info)), "Round trip": roundTrip(rtt, 2) }).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Coloured text={value} />
            </dd>
          </div>
        )
      )}
    </dl>
  </section>
)

const duration = (seconds: number): string => {
  if (seconds < 0) return "–"
  const whole = Math.floor(seconds)
  const two = (value: number): string => String(value).padStart(2, "0")
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

const Table = (props: {
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
      <table>{props.children}</table>
    </div>
  </details>
)

const Players = ({ reply }: { readonly reply: PlayersReply }) => (
  <Table name="player" reply={reply} count={reply.players.length} open={reply.players.length <= 12}>
    <Heads titles={["Name", "Score", "Time"]} />
    <tbody>
      {reply.players
        .toSorted((a, b) => b.score - a.score)
        .map((player, i) => (
          <tr key={i}>
            <td>{player.name === "" ? <span class="quiet">no name</span> : <Coloured text={player.name} />}</td>
            <td>{player.score}</td>
            <td>{duration(player.duration)}</td>
          </tr>
        ))}
    </tbody>
  </Table>
)

const Rules = ({ reply }: { readonly reply: RulesReply }) => (
  <Table name="rule" reply={reply} count={reply.rules.length}>
    <tbody>
      {reply.rules.map((rule, i) => (
        <tr key={i}>
          <th scope="row">
            <Coloured text={rule.name} />
          </th>
          <td>
            <Coloured text={rule.value} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)
