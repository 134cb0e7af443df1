/** Queries one server and draws the exchange. */
import { Alert, Button, Choice, CopyButton, Form, Stop, Submit } from "@sourcewire/ui/widgets"
import { forget, Inspector } from "@sourcewire/ui/inspector"
import { linkToDatagrams, openDatagrams } from "../decode/workbench.ts"
import type { Finding } from "@sourcewire/diagnosis"
import { Export } from "../explain/Export.tsx"
import { Findings } from "../explain/Findings.tsx"
import { AddressField } from "./AddressField.tsx"
import { Cards } from "./Cards.tsx"
import {
  KINDS,
  address,
  answer,
  arrows,
  sendQuery,
  brackets,
  chosenArrow,
  diagnoses,
  failure,
  inspection,
  kind,
  live,
  passed,
  point,
  shownForExport
} from "./exchange.ts"
import { EmulateOffer } from "./EmulateOffer.tsx"
import { emulated } from "./emulated.ts"
import { SequenceDiagram } from "./SequenceDiagram.tsx"

/** Selects the bytes that a finding is about, and scrolls to these bytes. */
const showFinding = (finding: Finding): void => {
  point(finding)
  requestAnimationFrame(() => document.querySelector("#exchange-bytes")?.scrollIntoView({ block: "nearest" }))
}

/** Whether the findings are shown above the reply. This is the case if the query failed, or if a finding is an error or a warning. */
const isRemarkable = (): boolean =>
  failure.value !== undefined ||
  diagnoses.value.some(({ findings }) => findings.some(({ severity }) => severity !== "note"))

const Explained = () =>
  diagnoses.value.length === 0 ? null : (
    <Findings diagnoses={diagnoses.value} point={showFinding}>
      <Export shown={shownForExport} link={() => linkToDatagrams(passed.value)} />
    </Findings>
  )

/** Explains how to query a real server. This text is shown if the user has entered an address that no emulated server of the page has. */
const RealServer = ({ address }: { readonly address: string }) => (
  <div class="real-server">
    <p>
      This page alone reaches no real server, because browsers have no UDP. To see the same page with the real network,
      run this on your computer:
    </p>
    <pre class="terminal">npx sourcewire playground</pre>
    <p>To see the reply and the findings in the terminal:</p>
    <pre class="terminal">npx sourcewire query {address} --explain</pre>
  </div>
)

export const QueryPane = () => (
  <div class="pane">
    <Form class="bar" onSubmit={sendQuery}>
      <AddressField />
      <Choice label="Kind of query" value={kind} options={KINDS} />
      <Submit>Query</Submit>
      <Stop {...live} />
      {passed.value.length === 0 ? null : (
        <>
          <Button
            onClick={() => openDatagrams(passed.value, `The exchange with ${passed.value[0]?.to ?? "the server"}.`)}
          >
            Decode the exchange
          </Button>
          <CopyButton
            label="Copy link to the exchange"
            title="The link contains all datagrams; nothing is uploaded"
            text={() => linkToDatagrams(passed.value)}
          />
        </>
      )}
    </Form>
    <Alert text={live.ended.value} />
    <Alert text={failure.value?.message} />
    {failure.value?._tag === "NotInPage" ? <RealServer address={address.value.trim()} /> : null}
    {failure.value !== undefined && !emulated.value.some((server) => server.address === address.value.trim()) ? (
      <EmulateOffer reason="To try the page, query an emulated server:" />
    ) : passed.value.length === 0 && emulated.value.length === 0 ? (
      <EmulateOffer reason="No server to query?" />
    ) : null}
    {isRemarkable() ? <Explained /> : null}
    <div class={`exchange${answer.value === undefined ? "" : " answered"}`}>
      {answer.value === undefined ? null : <Cards answer={answer.value} />}
      {arrows.value.length === 0 ? null : (
        <SequenceDiagram
          arrows={arrows.value}
          brackets={brackets.value}
          chosen={chosenArrow.value}
          local="this page"
          remote={passed.value[0]?.to ?? ""}
          choose={(index) => {
            forget(inspection)
            chosenArrow.value = index
          }}
        />
      )}
    </div>
    {isRemarkable() ? null : <Explained />}
    {chosenArrow.value < 0 && arrows.value.length > 0 ? <p class="quiet">Choose an arrow to see its bytes.</p> : null}
    <Inspector id="exchange" inspection={inspection} />
  </div>
)
