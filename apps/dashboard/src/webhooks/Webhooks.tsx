/**
 * The view of the webhooks. For each webhook, there is a button that sends a test message. If the monitor manages its own list, users can
 * add and remove webhooks.
 */
import type { WebhookRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { Alert, Button, Form, Select, Submit, TextField } from "@sourcewire/ui/widgets"
import { addWebhook, getJson, errorMessage, removeWebhook, testWebhook, useRepeatedly } from "../requests.ts"
import { useTitle } from "../title.ts"

const EVENTS = {
  up: "up again",
  down: "down",
  full: "full",
  map: "map changed",
  version: "version changed",
  name: "name changed",
  disagreement: "different states by location",
  finding: "finding about a server"
} as const

/** The outcome of the user's last action: the result of a test message, or the error of a test message or of a change. */
interface Loaded {
  readonly name: string
  readonly text: string
  readonly isWrong: boolean
}

export const Webhooks = ({ adds }: { readonly adds: boolean }) => {
  const rows = useSignal<ReadonlyArray<WebhookRow> | undefined>(undefined)
  const outcome = useSignal<Loaded | undefined>(undefined)
  useTitle("Webhooks")
  const trouble = useRepeatedly(
    async (signal) => void (rows.value = await getJson<ReadonlyArray<WebhookRow>>("webhooks", signal)),
    []
  )
  return (
    <section class="webhooks" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <Alert text={trouble} />
      {rows.value?.length === 0 && (
        <div class="empty">
          <p>
            No webhooks yet. A webhook sends alerts to Discord, Slack or a program when a server goes down or is up
            again.
            {!adds && (
              <>
                {" "}
                Add one to <code>webhooks</code> in the configuration file.
              </>
            )}
          </p>
        </div>
      )}
      {rows.value !== undefined && rows.value.length > 0 && (
        <ul class="panel">
          {rows.value.map((row) => (
            <Webhook key={row.name} row={row} adds={adds} outcome={outcome} />
          ))}
        </ul>
      )}
      {adds && <AddWebhook />}
    </section>
  )
}

interface WebhookProps {
  readonly row: WebhookRow
  readonly adds: boolean
  readonly outcome: Signal<Loaded | undefined>
}

const Webhook = ({ adds, row: { events, format, groups, host, name }, outcome }: WebhookProps) => {
  const report = (text: string, isWrong: boolean): void => void (outcome.value = { name, text, isWrong })
  const fail = (error: unknown): void => report(errorMessage(error), true)
  const test = (): Promise<void> => {
    report("Sending …", false)
    return testWebhook(name).then(
      ({ message, ok }) => report(ok ? `Accepted: ${message}` : `Not accepted: ${message}`, !ok),
      fail
    )
  }
  return (
    <li>
      <div>
        <b>{name}</b>{" "}
        <span class="quiet">
          {format} · <bdi>{host}</bdi> ·{" "}
          {events.map((event) => EVENTS[event as keyof typeof EVENTS] ?? event).join(", ")}
          {groups !== undefined && ` · ${groups.join(", ")}`}
        </span>
      </div>
      <div class="bar">
        <Button onClick={() => void test()}>Send test</Button>
        {adds && <Button onClick={() => void removeWebhook(name).catch(fail)}>Remove</Button>}
        <span role="status" class={outcome.value?.isWrong === true ? "wrong" : "quiet"}>
          {outcome.value?.name === name ? outcome.value.text : ""}
        </span>
      </div>
    </li>
  )
}

const AddWebhook = () => {
  const name = useSignal("")
  const url = useSignal("")
  const format = useSignal<"discord" | "slack" | "json">("discord")
  const events = useSignal<ReadonlyArray<string>>(["up", "down"])
  const trouble = useSignal<string | undefined>(undefined)
  const submit = async (): Promise<void> => {
    const wanted = { name: name.value.trim(), url: url.value.trim(), format: format.value, events: events.value }
    trouble.value = await addWebhook(wanted).then(() => undefined, errorMessage)
    if (trouble.value === undefined) name.value = url.value = ""
  }
  return (
    <Form class="panel add-webhook" onSubmit={submit}>
      <h3>Add a webhook</h3>
      <div class="bar">
        <TextField
          isLabelled
          label="Name"
          value={name}
          input={{ name: "webhook-name", required: true, maxLength: 64, pattern: "[\\w.\\-]+", placeholder: "team" }}
        />
        <TextField
          isLabelled
          label="URL"
          value={url}
          input={{ name: "webhook-url", type: "url", required: true, maxLength: 2000 }}
        />
        <Select
          label="Format"
          value={format.value}
          options={{ discord: "Discord", slack: "Slack", json: "JSON" }}
          choose={(chosen) => void (format.value = chosen)}
        />
      </div>
      <fieldset class="bar">
        <legend>Events</legend>
        {Object.entries(EVENTS).map(([event, title]) => (
          <label key={event}>
            <input
              type="checkbox"
              checked={events.value.includes(event)}
              onChange={({ currentTarget: { checked } }) =>
                void (events.value = checked
                  ? [...events.value, event]
                  : events.value.filter((other) => other !== event))
              }
            />{" "}
            {title}
          </label>
        ))}
      </fieldset>
      <Submit disabled={events.value.length === 0}>Add webhook</Submit>
      <Alert text={trouble.value} />
    </Form>
  )
}
