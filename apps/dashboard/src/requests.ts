/** Sends requests to the monitor, once or repeatedly. */
import type { AddedTargets, Previewed, RemovedTarget, WebhookTest } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { isUnreachable, noteOwnChange, noteReply, noteFailedRequest, onUpdate, TIMEOUT_MS } from "./live.ts"

/** Sends a request, and returns the JSON of the reply. */
const request = async <A>(path: string, { signal, ...init }: RequestInit = {}): Promise<A> => {
  const beganAt = Date.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const read = async (): Promise<readonly [response: Response, text: string]> => {
    const response = await fetch(`api/${path}`, {
      ...init,
      signal: AbortSignal.any(signal ? [signal, timeout] : [timeout])
    })
    return [response, await response.text()]
  }
  const [response, text] = await read().catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    noteFailedRequest(beganAt)
    throw new Error(
      timeout.aborted ? `The monitor did not reply within ${TIMEOUT_MS / 1000} seconds.` : "The monitor does not reply."
    )
  })
  noteReply()
  const body = parseJson(text) as A & { readonly message?: string }
  if (!response.ok) throw new Error(body.message ?? `The monitor replied with status ${response.status}.`)
  // Requests that change data of the monitor have no `signal`, because the page must not abort them. The views are updated immediately
  // after these requests.
  if (signal === undefined) noteOwnChange()
  return body
}

/** The JSON of a reply. If the reply is not JSON, the result is an empty object. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Sends a GET request to a path of the API, and returns the JSON of the reply. */
export const getJson = <A>(path: string, signal: AbortSignal): Promise<A> => request<A>(path, { signal })

const send = <A>(method: "POST" | "PATCH", path: string, body: unknown, signal?: AbortSignal): Promise<A> =>
  request<A>(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })

const post = <A>(path: string, body: unknown): Promise<A> => send<A>("POST", path, body)

/** Adds a server to the monitor's list. Returns the server's address in the form in which the monitor's list contains it. */
export const add = async (address: string): Promise<string> => {
  const added = await post<{ readonly address: string }>("targets", { address })
  return added.address
}

/** Adds servers to a group in the monitor's list. If the group does not exist, the monitor creates the group. */
export const addMany = (servers: {
  readonly addresses: ReadonlyArray<string>
  readonly group?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly names?: Readonly<Record<string, string>>
}): Promise<AddedTargets> => post("targets/many", servers)

/** Queries servers without adding them to the list. */
export const preview = (addresses: ReadonlyArray<string>, signal: AbortSignal): Promise<ReadonlyArray<Previewed>> =>
  send("POST", "targets/preview", { addresses }, signal)

/** Removes a server from the monitor's list. */
export const remove = (id: number): Promise<RemovedTarget> =>
  request<RemovedTarget>(`targets/${id}`, { method: "DELETE" })

/** Changes the name or the group of a server, or the labels of its group. */
export const edit = (
  id: number,
  changes: { readonly name?: string; readonly group?: string; readonly labels?: Readonly<Record<string, string>> }
): Promise<unknown> => send("PATCH", `targets/${id}`, changes)

export const addWebhook = (webhook: {
  readonly name: string
  readonly url: string
  readonly format: string
  readonly events: ReadonlyArray<string>
}): Promise<unknown> => post("webhooks", webhook)

export const removeWebhook = (name: string): Promise<unknown> =>
  request(`webhooks/${encodeURIComponent(name)}`, { method: "DELETE" })

/** Sends a test message to the webhook, and returns the reply of the webhook's receiver. */
export const testWebhook = (name: string): Promise<WebhookTest> => post(`webhooks/${encodeURIComponent(name)}/test`, {})

/** Mutes a server by its address, or a group by its name. */
export const mute = (what: {
  readonly address?: string
  readonly group?: string
  readonly until?: number
}): Promise<unknown> => post("mutes", what)

/** Ends a mute. */
export const unmute = (id: number): Promise<unknown> => request(`mutes/${id}`, { method: "DELETE" })

/** Default minimum pause between two runs of {@link useRepeatedly}, in milliseconds. */
const LEAST_MS = 2000
/**
 * If the monitor has reported a change since a run started, this number replaces `leastMs` as the minimum pause after this run, in
 * milliseconds.
 */
const UPDATE_PAUSE_MS = 500
/**
 * After a run, the pause is at least this multiple of the run's duration. Therefore the monitor spends at most a twentieth of its time on
 * the requests of a view, except if `MOST_REST_MS` limits the pause.
 */
const REST = 20
/**
 * Maximum of the pause that is computed with `REST`, in milliseconds. Without this maximum, a single slow reply would delay the next run
 * for a long time.
 */
const MOST_REST_MS = 10_000
/** Minimum pause in milliseconds between two runs while the page is hidden. */
const HIDDEN_MS = 15_000

/** The message of a caught error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Repeating {
  /** Minimum pause in milliseconds between the end of a run and the start of the next run. */
  readonly leastMs?: number
  /** Pause in milliseconds before the first run. */
  readonly restMs?: number
  /** Whether the work also runs, at longer intervals, while the page is hidden. */
  readonly isHiddenToo?: boolean
}

/**
 * Runs `work` after `restMs`, and then repeatedly. While the page is hidden, `work` runs only if `isHiddenToo` is true. If `inputs` change,
 * the runs start again with the new `work`. The runs end when the view is removed.
 *
 * If the monitor reports a change, the pause before the next run can be shorter than `leastMs`. If this page has requested the change, the
 * next run starts immediately. However, if `leastMs` is longer than its default, no change shortens the pause.
 *
 * The function returns the error of the last run. If the monitor does not reply, the function returns `undefined`, because the page already
 * shows a banner for this case.
 */
export const useRepeatedly = (
  work: (signal: AbortSignal) => Promise<void>,
  inputs: ReadonlyArray<unknown>,
  { isHiddenToo = false, leastMs = LEAST_MS, restMs = 0 }: Repeating = {}
): string | undefined => {
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let isRunning = false
    let hasUpdate = false
    let hasOwnChange = false
    /** The earliest time of the next run if the monitor reports a change. */
    let pausedUntil = 0
    let timer: ReturnType<typeof setTimeout>
    const start = (afterMs: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void run(), afterMs)
    }
    const run = async (): Promise<void> => {
      if (isRunning) return
      isRunning = true
      hasUpdate = false
      hasOwnChange = false
      const began = performance.now()
      try {
        if (!document.hidden || isHiddenToo) {
          await work(signal)
          problem.value = undefined
        }
      } catch (error) {
        if (!signal.aborted) problem.value = isUnreachable.value ? undefined : errorMessage(error)
      }
      isRunning = false
      if (signal.aborted) return
      const ended = performance.now()
      const rest = Math.min(MOST_REST_MS, REST * (ended - began))
      pausedUntil = ended + Math.max(UPDATE_PAUSE_MS, rest)
      if (hasOwnChange) return start(0)
      start(
        hasUpdate && leastMs <= LEAST_MS ? pausedUntil - ended : Math.max(document.hidden ? HIDDEN_MS : leastMs, rest)
      )
    }
    const onSeen = (): void => {
      if (!document.hidden) start(0)
    }
    const onChange = (isOwn: boolean): void => {
      if (leastMs > LEAST_MS) return
      if (isOwn) {
        hasOwnChange = true
        if (!isRunning) start(0)
        return
      }
      if (hasUpdate) return
      hasUpdate = true
      if (!isRunning) start(Math.max(0, pausedUntil - performance.now()))
    }
    start(restMs)
    const unsubscribe = onUpdate(onChange)
    document.addEventListener("visibilitychange", onSeen)
    return () => {
      controller.abort()
      clearTimeout(timer)
      unsubscribe()
      document.removeEventListener("visibilitychange", onSeen)
    }
  }, inputs)
  return isUnreachable.value ? undefined : problem.value
}
