/**
 * Prevents two monitors from using the same store, except if both were started with `--join`. For SQLite, a lock file next to the database
 * names the process that uses the database. For Postgres, the list of sessions on the database server shows which process uses the
 * database.
 */
import { store, storeUser } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { readFile, rm, stat, utimes } from "node:fs/promises"
import { hostname } from "node:os"
import { ProgramError } from "../exitCode.ts"
import { findFault, ifExists, replaceFile } from "../files/replaceFile.ts"
import { safe } from "../output/text.ts"
import type { MonitorSettings } from "./flags.ts"

/** The description of a Postgres store. The output never shows the URL of the store, because the URL can contain a password. */
const SHARED_STORE = "a shared Postgres database"

/** Describes a store for the output, for example with its file name. */
export const describeStore = (file: string): string => {
  if (store.isShared(file)) return SHARED_STORE
  return file === ":memory:" ? "memory; history is lost when the monitor stops" : file
}

interface Owner {
  readonly host: string
  readonly pid: number
  /** The time when the process opened the store, in ISO 8601. */
  readonly since: string
  /**
   * Start time of the process (see {@link processStart}). This time distinguishes the process from a later process with the same id. Absent
   * if the system does not provide start times.
   */
  readonly started?: string | undefined
}

const isOwn = (owner: Owner | undefined): boolean => owner?.pid === process.pid && owner.host === hostname()

/**
 * Returns the start time of a process, in clock ticks since the start of the system. Returns `undefined` if the system does not provide
 * this time.
 */
const processStart = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")[19]
  } catch {
    return undefined
  }
}

/**
 * If the owner of a lock file runs on another host or in another container, this process cannot check whether the owner is running. In this
 * case, the owner is considered stopped if it has not renewed the lock file for this number of milliseconds.
 */
const FRESH_MS = 30_000
const RENEW = "10 seconds"

const isFresh = async (file: string): Promise<boolean> =>
  Date.now() - ((await ifExists(stat(file)))?.mtimeMs ?? 0) < FRESH_MS

const isRunning = async (file: string, { host, pid, started }: Owner): Promise<boolean> => {
  if (host !== hostname()) return isFresh(file)
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // If the error is EPERM, the process runs but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false
  }
  return started === undefined || processStart(pid) === started
}

const read = async (file: string): Promise<Owner | undefined> => {
  try {
    const owner = JSON.parse((await ifExists(readFile(file, "utf8"))) ?? "null") as Owner | null
    return typeof owner?.pid === "number" && typeof owner.host === "string" ? owner : undefined
  } catch {
    // An unreadable lock file is treated like a missing file.
    return undefined
  }
}

const refuse = (who: string, since: string, what: string, more = ""): ProgramError =>
  new ProgramError(
    `${who}, started at ${since}, uses the store ${what}. Stop it, choose another --store,${more} or add --takeover to stop it and continue in its place.`
  )

/** Locks a store file until the scope closes. Fails if another process uses the store and `takeover` is false. */
export const claimStore = Effect.fnUntraced(function* (where: string, takeover: boolean) {
  const file = `${where}.owner`
  const owner = yield* Effect.promise(() => read(file))
  if (owner !== undefined && !takeover && (yield* Effect.promise(() => isRunning(file, owner)))) {
    const onHost = owner.host === hostname() ? "" : ` on host ${safe(owner.host)}`
    return yield* refuse(`Process ${owner.pid}${onHost}`, safe(owner.since), where)
  }
  const own: Owner = {
    host: hostname(),
    pid: process.pid,
    since: new Date().toISOString(),
    started: processStart(process.pid)
  }
  yield* Effect.acquireRelease(
    // If the lock file cannot be written, the error is ignored. If the directory is not writable, the store cannot be opened either, and
    // this second error is reported.
    findFault(() => replaceFile(file, JSON.stringify(own))),
    () =>
      Effect.promise(async () => {
        if (isOwn(await read(file))) await rm(file, { force: true })
      })
  )
  const renew = findFault(async () => {
    if (isOwn(await read(file))) await utimes(file, new Date(), new Date())
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(renew, RENEW)))
})

/** The name of this process's Postgres sessions. The name has at most 63 characters, because Postgres limits names to 63 bytes. */
export const SESSION = `sourcewire-monitor ${hostname()}:${process.pid}`.slice(0, 63)

/**
 * Fails if another monitor uses a Postgres database and `takeover` is false. However, if all monitors that use the database were started
 * with `join`, they may share the database, and this function succeeds.
 */
export const claimDatabase = Effect.fnUntraced(function* (url: string, { join, takeover }: MonitorSettings) {
  const user = takeover ? undefined : yield* storeUser(url, { inFleet: !join })
  if (user === undefined) return
  const [, process] = /^sourcewire-monitor (.+)$/.exec(user.name) ?? []
  const who = process === undefined ? `The instance ${safe(user.name)}` : `Process ${safe(process)}`
  return yield* refuse(who, user.since, "in this Postgres database", join ? "" : " add --join to share its targets,")
})
