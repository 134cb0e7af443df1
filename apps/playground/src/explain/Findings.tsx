/** The findings about conversations. Each finding is shown with its severity, its text, a hint, and a button that shows its bytes. */
import type { ComponentChild } from "preact"
import type { Diagnosis, Finding } from "@sourcewire/diagnosis"
import { displayText } from "@sourcewire/core/text"
import { Button, Prose } from "@sourcewire/ui/widgets"
import { plural } from "@sourcewire/capture"
import { bySeverity, tally } from "./explanation.ts"

/** Maximum number of conversations that are shown, because a capture can contain thousands of them. */
const SHOWN = 20

/**
 * If a conversation has errors or warnings, the page initially shows at most this number of its notes. If the conversation has more notes,
 * the page initially hides all of them.
 */
const OPEN_NOTES = 1

interface FindingsProps {
  readonly diagnoses: ReadonlyArray<Diagnosis>
  /** Shows the bytes to which a finding refers. */
  readonly point: (finding: Finding) => void
  /** Sets the filter of the page to one server. Absent if the page has no filter. */
  readonly select?: (server: string) => void
  /** Controls beside the heading. */
  readonly children?: ComponentChild
}

export const Findings = ({ children, diagnoses, point, select }: FindingsProps) => {
  const all = diagnoses.flatMap(({ findings }) => findings)
  const found = bySeverity(diagnoses.filter(({ findings }) => findings.length > 0))
  return (
    <section class="findings" aria-label="Findings" tabIndex={-1}>
      <header>
        <h2>
          Findings <span class="quiet">{tally(all)}</span>
        </h2>
        {children}
      </header>
      {found.slice(0, SHOWN).map((diagnosis) => (
        <Conversation
          key={diagnosis.server ?? ""}
          diagnosis={diagnosis}
          isNamed={diagnoses.length > 1}
          point={point}
          select={select}
        />
      ))}
      {found.length > SHOWN ? (
        <p class="quiet">{plural(found.length - SHOWN, "further server")} with findings: select one with the filter.</p>
      ) : null}
    </section>
  )
}

const Conversation = ({
  diagnosis: { clients, findings, server },
  isNamed,
  point,
  select
}: {
  readonly diagnosis: Diagnosis
  readonly isNamed: boolean
  readonly point: FindingsProps["point"]
  readonly select: FindingsProps["select"] | undefined
}) => {
  const notes = findings.filter(({ severity }) => severity === "note")
  const others = findings.filter(({ severity }) => severity !== "note")
  const isClosed = others.length > 0 && notes.length > OPEN_NOTES
  return (
    <>
      {isNamed && server !== undefined ? (
        <h3>
          <code>{server}</code>{" "}
          <span class="quiet">with {clients.length === 1 ? clients[0] : plural(clients.length, "client")}</span>{" "}
          {select === undefined ? null : <Button onClick={() => select(server)}>Only this server</Button>}
        </h3>
      ) : null}
      <List findings={isClosed ? others : findings} point={point} />
      {isClosed ? (
        <details>
          <summary>{plural(notes.length, "note")}</summary>
          <List findings={notes} point={point} />
        </details>
      ) : null}
    </>
  )
}

const List = ({
  findings,
  point
}: {
  readonly findings: ReadonlyArray<Finding>
  readonly point: FindingsProps["point"]
}) => (
  <ul>
    {findings.map((finding) => (
      <li key={finding.kind + finding.text} class={`finding ${finding.severity}`} data-finding={finding.kind}>
        <span class="severity">{finding.severity}</span>
        <div>
          <p>{displayText(finding.text)}</p>
          <p class="quiet">
            <Prose text={finding.hint} />
          </p>
        </div>
        <Button onClick={() => point(finding)} title={`Show the bytes in datagram ${finding.places[0]!.datagram + 1}`}>
          Show bytes
        </Button>
      </li>
    ))}
  </ul>
)
