/** What a server last said of players and rules. It comes as it was sent, so each text is made harmless here. */
import { displayText } from "@sourcewire/core/text"
import type { TargetDetail } from "@sourcewire/monitor/api"
import { clockOf, count } from "../words.ts"

type Answer = NonNullable<TargetDetail["answer"]>

/** The players, those with the most points first. */
export const Players = ({ answer }: { readonly answer: Answer }) => {
  const players = (answer.players?.players ?? []).toSorted((a, b) => b.score - a.score)
  return (
    <section class="panel" aria-labelledby="players">
      <h3 id="players">Players {players.length > 0 && <span class="quiet">{count(players.length)}</span>}</h3>
      {answer.players === undefined ? (
        <p class="quiet">
          It was not asked, or did not say. Players are asked for in a group with <code>{'"query": "all"'}</code>.
        </p>
      ) : players.length === 0 ? (
        <p class="quiet">Nobody plays.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-labelledby="players">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col" class="number">
                  Time
                </th>
              </tr>
            </thead>
            <tbody>
              {players.map(({ duration, name, score }, i) => (
                <tr key={i}>
                  <td>{name === "" ? <span class="quiet">name hidden</span> : displayText(name)}</td>
                  <td class="number">{score}</td>
                  <td class="number">{Number.isFinite(duration) && duration >= 0 ? clockOf(duration) : ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** The rules, by name. */
export const Rules = ({ answer }: { readonly answer: Answer }) => {
  const rules = (answer.rules?.rules ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <section class="panel" aria-labelledby="rules">
      <h3 id="rules">Rules {rules.length > 0 && <span class="quiet">{count(rules.length)}</span>}</h3>
      {rules.length === 0 ? (
        <p class="quiet">It has told none.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-labelledby="rules">
          <table class="rules">
            <tbody>
              {rules.map(({ name, value }, i) => (
                <tr key={i}>
                  <th scope="row">{displayText(name)}</th>
                  <td>{displayText(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
