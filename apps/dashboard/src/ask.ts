/** Asks the monitor, once or again and again. */
import { signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

/** Whether the last request has met silence: the frame says so, for all views. */
export const isSilent = signal(false)

/** What came of a request. */
const answerTo = async <A>(request: Promise<Response>, signal?: AbortSignal): Promise<A> => {
  const response = await request.catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    isSilent.value = true
    throw new Error("The monitor does not answer.")
  })
  isSilent.value = false
  const body = (await response.json().catch(() => ({}))) as A & { readonly message?: string }
  if (!response.ok) throw new Error(body.message ?? `The monitor answers with ${response.status}.`)
  return body
}

/** What the API says at a path, as JSON; the monitor's own API is what says of which type that is. */
export const ask = <A>(path: string, signal: AbortSignal): Promise<A> =>
  answerTo<A>(fetch(`api/${path}`, { signal }), signal)

/** Has one more server watched; gives its address as the list will have it. */
export const add = async (address: string): Promise<string> => {
  const request = fetch("api/targets", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address })
  })
  const added = await answerTo<{ readonly address: string }>(request)
  return added.address
}

/** Has a server watched no longer. */
export const remove = async (id: number): Promise<void> => {
  await answerTo<unknown>(fetch(`api/targets/${id}`, { method: "DELETE" }))
}

/** So often at most something is asked for again. */
const LEAST_MS = 2000
/** A monitor of very many targets is busy with the question for a twentieth of the time at most. */
const REST = 20

/** What to show of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Does this after `restMs`, and again and again while the page is seen, until `inputs` change or the view goes away. Gives what goes wrong,
 * for as long as it does and the monitor is not silent.
 */
export const useRepeatedly = (
  work: (signal: AbortSignal) => Promise<void>,
  inputs: ReadonlyArray<unknown>,
  { leastMs = LEAST_MS, restMs = 0 }: { readonly leastMs?: number; readonly restMs?: number } = {}
): string | undefined => {
  const trouble = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const turn = async (): Promise<void> => {
      const began = performance.now()
      try {
        if (!document.hidden) {
          await work(signal)
          trouble.value = undefined
        }
      } catch (error) {
        if (!signal.aborted) trouble.value = isSilent.value ? undefined : messageOf(error)
      }
      if (signal.aborted) return
      timer = setTimeout(() => void turn(), Math.max(leastMs, REST * (performance.now() - began)))
    }
    const onSeen = (): void => {
      if (document.hidden) return
      clearTimeout(timer)
      void turn()
    }
    let timer = setTimeout(() => void turn(), restMs)
    document.addEventListener("visibilitychange", onSeen)
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener("visibilitychange", onSeen)
    }
  }, inputs)
  return isSilent.value ? undefined : trouble.value
}
