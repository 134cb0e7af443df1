/** One exchange with a game server, to be clicked through: what passes, and what is in it. */
import { toHex } from "@sourcewire/protocol"
import { useRef } from "preact/hooks"
import { plural } from "@sourcewire/capture"
import { nameOf } from "@sourcewire/ui/analysis"
import { openDatagrams } from "../decode/workbench.ts"
import { Explanation } from "@sourcewire/ui/inspector"
import { Button, CopyButton } from "@sourcewire/ui/widgets"
import { type Step, current, datagrams, goTo, inspection, steps } from "./lesson.ts"
import { Ribbon } from "./Ribbon.tsx"

const bytesOf = ({ row }: Step) => row.datagrams.map((index) => datagrams[index]!)

export const Lesson = () => {
  const at = current.value
  const step = steps[at]!
  const specimen = useRef<HTMLDivElement>(null)
  const show = (wanted: number): void => {
    goTo(wanted)
    // On a narrow page it stands below the steps.
    specimen.current?.scrollIntoView({ block: "nearest" })
  }
  return (
    <section class="lesson" aria-label="A query, step by step">
      <div class="wire">
        <p class="wire-ends" aria-hidden="true">
          <span>You</span>
          <span>Game server</span>
        </p>
        <ol>
          {steps.map((one, i) => (
            <li key={one.title}>
              <button type="button" class={`step ${one.way}`} aria-pressed={i === at} onClick={() => show(i)}>
                <strong>{one.title}</strong>
                <code>{nameOf(one.row)}</code>
                <i aria-hidden="true" />
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div class="specimen" ref={specimen}>
        <header>
          <h3>{step.title}</h3>
          <span class="quiet">
            {nameOf(step.row)}, {plural(step.row.size, "byte")}
          </span>
          <span class="actions">
            <Button disabled={at === 0} onClick={() => goTo(at - 1)}>
              Back
            </Button>
            <Button class="primary" disabled={at === steps.length - 1} onClick={() => goTo(at + 1)}>
              Next
            </Button>
          </span>
        </header>
        <p aria-live="polite">{step.text}</p>
        <Ribbon inspection={inspection} />
        <Explanation inspection={inspection} hint="Choose a field to see what it means." />
        <p class="actions">
          <CopyButton
            label="Copy these bytes"
            title="To paste them above, for instance"
            text={() =>
              bytesOf(step)
                .map(({ bytes }) => toHex(bytes))
                .join("\n")
            }
          />
          <Button onClick={() => void openDatagrams(bytesOf(step), `${step.title}. ${step.text}`)}>
            Take it apart
          </Button>
          <Button onClick={() => void openDatagrams(datagrams, "The lesson’s exchange.")}>The whole exchange</Button>
        </p>
      </div>
    </section>
  )
}
