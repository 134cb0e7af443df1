/** What keywords and rules mean in the server's game, line by line. The games are loaded when there is something to explain. */
import { signal } from "@preact/signals"
import type * as Games from "@sourcewire/games"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { useEffect } from "preact/hooks"
import { Coloured } from "../widgets/Coloured.tsx"
import { Table } from "../widgets/Table.tsx"

interface GameFactsProps {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

const games = signal<typeof Games | undefined>(undefined)

const shown = ({ value }: Games.Fact): string =>
  typeof value === "boolean"
    ? value
      ? "yes"
      : "no"
    : typeof value === "object"
      ? value.map((one) => (typeof one === "string" ? one : (one.name ?? one.id ?? one.hash ?? "?"))).join(", ") ||
        "none"
      : String(value)

/** Nothing, for a game whose keywords and rules nobody knows. */
export const GameFacts = ({ info, players, rules }: GameFactsProps) => {
  useEffect(() => void import("@sourcewire/games").then((loaded) => (games.value = loaded)), [])
  const known = games.value
  const game = known?.identify(info)
  if (known === undefined || game === undefined) return null
  const { facts, malformed, unknown } = known.readFacts(game, { info, players, rules })
  if (facts.length === 0 && malformed === undefined) return null
  return (
    <details open={facts.length <= 24}>
      <summary>As {game.name} has it</summary>
      <div class="table" role="region" aria-label={`What keywords and rules mean in ${game.name}`} tabIndex={0}>
        <Table
          columns={["Name", "Value", "Meaning", "As it was sent"]}
          isNamed
          rows={facts.map((fact) => [
            fact.name,
            <Coloured text={shown(fact)} />,
            fact.says,
            <Coloured text={fact.raw} />
          ])}
        />
      </div>
      {malformed === undefined ? null : <p class="problem">{malformed.message}</p>}
      {unknown.length === 0 ? null : (
        <p class="quiet">
          Nobody knows what these mean: <Coloured text={unknown.join(", ")} />
        </p>
      )}
    </details>
  )
}
