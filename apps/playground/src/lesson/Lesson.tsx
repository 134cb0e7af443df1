/**
 * A lesson about one exchange with a game server. Most steps show a row of the exchange with its fields. In the last steps, the user
 * queries a server.
 */
import { toHex } from "@sourcewire/protocol"
import { useEffect, useRef } from "preact/hooks"
import { plural } from "@sourcewire/capture"
import { formatName } from "@sourcewire/ui/analysis"
import { openDatagrams } from "../decode/workbench.ts"
import { Explanation } from "@sourcewire/ui/inspector"
import { Button, CopyButton, Form, Submit } from "@sourcewire/ui/widgets"
import {
  type Step,
  blocks,
  check,
  checked,
  current,
  datagrams,
  goTo,
  inspection,
  solved,
  steps,
  type,
  typed
} from "./lesson.ts"
import { Practice } from "./Practice.tsx"
import { Ribbon } from "./Ribbon.tsx"

const listDatagrams = ({ row }: Step) => row.datagrams.map((index) => datagrams[index]!)

export const Lesson = () => {
  const at = current.value
  const step = steps[at]!
  const specimen = useRef<HTMLDivElement>(null)
  const show = (wanted: number): void => {
    goTo(wanted)
    // On a narrow page, the datagram of the step is below the list of steps, so the page must scroll to the datagram.
    specimen.current?.scrollIntoView({ block: "nearest" })
  }
  // A step can select a field outside the visible part of the ribbon, so the ribbon must scroll to the selected field.
  useEffect(() => {
    const block = specimen.current?.querySelector<HTMLElement>(".block[aria-pressed=true]")
    const ribbon = block?.parentElement ?? undefined
    if (block && ribbon) ribbon.scrollTop = block.offsetTop - ribbon.offsetTop - block.offsetHeight
  }, [at])
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
                {one.way === "home" ? null : <code>{formatName(one.row)}</code>}
                {checked.value.get(i) === true ? (
                  <span class="solved" title="Exercise solved">
                    ✓<span class="hidden"> exercise solved</span>
                  </span>
                ) : null}
                <i aria-hidden="true" />
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div class="specimen" ref={specimen}>
        <header>
          <h3>{step.title}</h3>
          {step.practice === undefined ? (
            <span class="quiet">
              {formatName(step.row)}, {plural(step.row.size, "byte")}
            </span>
          ) : null}
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
        {step.practice === undefined ? (
          <>
            <Ribbon inspection={inspection} blocks={blocks.value} />
            <Explanation inspection={inspection} hint="Choose a field to see what it means." />
            <Parts />
          </>
        ) : (
          <Practice name={step.practice} />
        )}
        <Task key={at} />
        {step.practice !== undefined ? null : (
          <p class="actions">
            <CopyButton
              label="Copy these bytes"
              title="To paste them above, for instance"
              text={() =>
                listDatagrams(step)
                  .map(({ bytes }) => toHex(bytes))
                  .join("\n")
              }
            />
            <Button onClick={() => void openDatagrams(listDatagrams(step), `${step.title}. ${step.text}`)}>
              Decode
            </Button>
            <Button onClick={() => void openDatagrams(datagrams, "The lesson’s exchange.")}>The whole exchange</Button>
          </p>
        )}
      </div>
    </section>
  )
}

/** If the bytes of the selected field are in several datagrams, shows these bytes for each datagram. */
const Parts = () => {
  const anatomy = inspection.anatomy.value
  const spans = inspection.nodes.value.get(inspection.chosen.value ?? "")?.spans ?? []
  if (anatomy === undefined || new Set(spans.map(({ section }) => section)).size < 2) return null
  return (
    <ul class="parts" aria-label="Bytes in each datagram">
      {spans.map(({ end, section, start }) => {
        const { bytes, title } = anatomy.sections[section]!
        return (
          <li key={section}>
            {title}, bytes {start}–{end - 1}: <code>{toHex(bytes, start, end).replace(/..(?=.)/g, "$& ")}</code>{" "}
            <code>{String.fromCharCode(...bytes.subarray(start, end)).replaceAll("\0", "·")}</code>
          </li>
        )
      })}
    </ul>
  )
}

/** The exercise of the current step. */
const Task = () => {
  const at = current.value
  const { exercise } = steps[at]!
  const { answer, field, hint, question, right } = exercise
  const result = checked.value.get(at)
  return (
    <Form class="exercise" onSubmit={check}>
      <label>
        <strong>Exercise</strong> {question}{" "}
        {answer === undefined ? null : (
          <input
            name="answer"
            autocomplete="off"
            inputmode="numeric"
            value={typed.value.get(at) ?? ""}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </label>
      {field === undefined ? null : (
        <span class="quiet">
          Chosen: {inspection.chosen.value === undefined ? "nothing" : inspection.chosen.value.replace(/^\d+:/, "")}
        </span>
      )}
      <Submit>Check</Submit>
      <output class={result === false ? "wrong" : ""}>
        {result === undefined ? "" : result ? `Right. ${right}` : `Not yet. ${hint}`}
      </output>
      <span class="quiet progress">
        {solved.value} of {plural(steps.length, "exercise")} solved
      </span>
    </Form>
  )
}
