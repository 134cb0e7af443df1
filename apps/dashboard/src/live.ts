/** The connection to the monitor: the time of the monitor's last reply, whether the monitor is reachable, and the stream of its events. */
import { signal } from "@preact/signals"

/** Time limit of a request in milliseconds. */
export const TIMEOUT_MS = 8000
/** Milliseconds after which a closed event stream is opened again. */
const REOPEN_MS = 10_000

/** The time of the monitor's last reply. Until the first reply, this is the time at which the page was opened. */
export const repliedAt = signal(Date.now())

/** `true` from the time at which a request fails until the monitor replies to any request. */
export const isUnreachable = signal(false)

/** The current time, updated every second. */
export const now = signal(Date.now())

export const noteReply = (): void => {
  repliedAt.value = Date.now()
  isUnreachable.value = false
}

/** Records a failed request. If the monitor has replied to another request since the failed request was sent, the failure is ignored. */
export const noteFailedRequest = (beganAt: number): void => {
  if (repliedAt.value <= beganAt) isUnreachable.value = true
}

/**
 * A function that is called when data of the monitor has changed. If this page has requested the change, `isOwn` is true. The listener
 * should then request the data immediately, because the user waits for the result of the change.
 */
type Listener = (isOwn: boolean) => void

const listeners = new Set<Listener>()

/** Adds a listener, which is called when data of the monitor changes. Returns a function that removes the listener. */
export const onUpdate = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notifyListeners = (isOwn: boolean): void => {
  for (const listener of listeners) listener(isOwn)
}

/**
 * After a change that this page has requested, the views are updated immediately, and again after this number of milliseconds. The monitor
 * caches the list and the totals for a second, so the first update may not show the change yet.
 */
const CACHED_MS = 1100

/** Notifies the listeners of a change that this page has requested: immediately, and again when the monitor's cache has expired. */
export const noteOwnChange = (): void => {
  notifyListeners(true)
  setTimeout(() => notifyListeners(true), CACHED_MS)
}

/**
 * Starts the clock, and opens the event stream while the page is visible. The stream is closed in hidden tabs. Browsers open at most six
 * connections to a host, so the streams of many hidden tabs would leave no connection for the visible tab.
 */
export const followMonitor = (): void => {
  setInterval(() => void (now.value = Date.now()), 1000)
  let stream: EventSource | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  const open = (): void => {
    clearTimeout(reopening)
    if (document.hidden) {
      stream?.close()
      stream = undefined
      return
    }
    if (stream !== undefined && stream.readyState !== EventSource.CLOSED) return
    stream = new EventSource("api/events")
    stream.addEventListener("change", () => notifyListeners(false))
    // After most errors, the browser reconnects automatically. If the monitor replies with an error status, the browser closes the stream,
    // and the page must open a new stream.
    stream.addEventListener("error", () => {
      if (stream?.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS)
    })
  }
  document.addEventListener("visibilitychange", open)
  open()
}
