/** The store in a SQL database, with the same statements for SQLite and Postgres. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { firstIdAt, LAST_ID, nextId } from "./changeIds.ts"
import { isPostgres, lock } from "./dialect.ts"
import { asStore, explainSqlError, read } from "./failure.ts"
import { compareFindings } from "./findings.ts"
import { migrate } from "./migrations.ts"
import {
  answerColumn,
  decodeChange,
  decodeFinding,
  hexBytes,
  rowToHour,
  hoursFrom,
  decodeIncident,
  decodeKnown,
  decodeMute,
  plainBytes,
  type Row,
  changeToRow,
  findingToRow,
  encodeHourRow,
  incidentToRow,
  encodeKnownRow,
  targetsInFlight,
  rowToTime
} from "./rows.ts"
import { SLICES } from "./slices.ts"
import { type NewTarget, Store, StoreFailed, withoutTargets } from "./Store.ts"
import { UnreadableRows } from "./UnreadableRows.ts"
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"
import type { StateTime } from "../history/StateTime.ts"
import { type Known, unknown } from "../watch/Watched.ts"

/** Maximum number of ids in one statement. This maximum is below the limits of SQLite and Postgres. */
const NAMED_AT_ONCE = 10_000

/**
 * Maximum number of rows that retention removes in one statement. The limit is low, because all writers wait until the statement has ended.
 */
const PRUNED_AT_ONCE = 2000

/** If the clock is ahead of the last trusted time by at most this duration, retention trusts the clock immediately. */
const MOST_AHEAD_MS = DAY_MS
/** After the monitor has run for this time with a clock that is not trusted, retention trusts the clock. */
const BELIEVED_AFTER_MS = 7 * DAY_MS

/**
 * Maximum number of rows in a statement in which each value of each row is a separate parameter. A write with more rows is split into
 * several statements. All full statements have the same text, so the database prepares only a few different statements.
 */
const CHUNK = 100

/** Maximum number of rows in a statement for Postgres that has one JSON parameter for all rows. */
const ROWS_AT_ONCE = 2000

/** The tables of hourly samples, and the columns of their primary keys. */
const SAMPLES = [
  ["sample", "target, hour"],
  ["location_sample", "target, location, hour"]
] as const

/** A row with the latest state of a target, and the slice of this target. */
type OfKnown = readonly [slice: number, row: Record<string, unknown>]

const splitChunks = <A>(rows: ReadonlyArray<A>) => Arr.chunksOf(rows, CHUNK)

/** Creates the store of one location, or the store of the overall state if `location` is not given. */
const make = Effect.fnUntraced(function* (location?: number) {
  const sql = yield* SqlClient.SqlClient
  const [latestTable, sampleTable] =
    location === undefined ? (["latest", "sample"] as const) : (["location_latest", "location_sample"] as const)
  const place = location === undefined ? {} : { location }
  const here = location === undefined ? sql`1 = 1` : sql`location = ${location}`
  /** The number of the location; 0 for the store of the overall state. */
  const number = location ?? 0
  /** The offset that is added to the numbers of slices, so that slices of different locations have different numbers in the database. */
  const offset = number * SLICES
  const isPg = isPostgres(sql)
  const encodeBytes = isPg ? hexBytes : plainBytes
  yield* migrate(sql)
  const unreadable = new UnreadableRows()
  /** The epochs of the slices that this monitor has claimed. */
  const mine = new Map<number, number>()

  /** The clause of a `select` that locks the selected rows. SQLite needs no lock, because it allows only one writer at a time. */
  const locked = sql.literal(isPg ? "for share" : "")

  /** Returns the slices that this monitor still owns. Until the transaction ends, no other monitor can claim these slices. */
  const findOwnSlices = Effect.fnUntraced(function* () {
    if (mine.size === 0) return []
    const slices = [...mine.keys()]
    const epochs = sql.literal(Array.from(mine, ([slice, epoch]) => `(${slice + offset}, ${epoch})`).join(", "))
    // This statement and the statement in `claim` lock the rows in the same order: by the number of the slice. If the two statements
    // locked the rows in different orders, two transactions could deadlock.
    const held = sql`select slice from slice where (slice, epoch) in (values ${epochs}) order by slice ${locked}`
    const [all] = yield* sql<Row>`with held as (${held}) select count(*) as held from held`
    if (Number(all!["held"]) === slices.length) return slices
    return Array.from(yield* held, (row) => Number((row as Row)["slice"]) - offset)
  })

  /**
   * Appends those changes that are not stored yet, and returns them with their numbers. The number of each appended change is larger than
   * all stored numbers. Therefore a reader that continues after the last number that it has read misses no change.
   */
  const append = Effect.fnUntraced(function* (rows: ReadonlyArray<ReturnType<typeof changeToRow>>) {
    const appended: Array<ReturnType<typeof changeToRow>> = []
    if (rows.length === 0) return appended
    yield* lock(sql, "append")
    const [newest] = yield* sql<Row>`select max(id) as id from change where id <= ${LAST_ID}`
    let last = Number(newest?.["id"] ?? 0)
    const first = rows.reduce((least, { at }) => Math.min(least, firstIdAt(at)), LAST_ID)
    const formatKey = ({ at, field, target }: Row): string => `${String(target)} ${String(at)} ${String(field)}`
    for (const chunk of splitChunks(rows)) {
      const targets = chunk.map(({ target }) => target)
      const stored = yield* sql<Row>`select target, at, field from change
        where ${sql.in("target", targets)} and id >= ${first}`
      const known = new Set(stored.map(formatKey))
      const fresh = chunk.filter((row) => !known.has(formatKey(row)))
      if (!Arr.isReadonlyArrayNonEmpty(fresh)) continue
      const numbered = Arr.map(fresh, (row) => ({ ...row, id: (last = nextId(last, row.at)) }))
      yield* sql`insert into change ${sql.insert(numbered)}`
      appended.push(...numbered)
    }
    return appended
  })

  const inTransaction = <A, E>(work: Effect.Effect<A, E>) => asStore(sql.withTransaction(work))

  const upsert = Effect.fnUntraced(function* (
    table: string,
    key: ReadonlyArray<string>,
    rows: ReadonlyArray<Record<string, unknown>>
  ) {
    if (rows.length === 0) return
    const columns = Object.keys(rows[0]!)
    const named = sql.csv(columns.map((column) => sql`${sql(column)}`))
    const set = sql.csv(
      columns
        .filter((column) => !key.includes(column))
        .map((column) => sql`${sql(column)} = ${sql(`excluded.${column}`)}`)
    )
    const conflict = sql`on conflict (${sql.csv(key.map((column) => sql`${sql(column)}`))}) do update set ${set}`
    if (!isPg) {
      for (const chunk of splitChunks(rows)) yield* sql`insert into ${sql(table)} ${sql.insert(chunk)} ${conflict}`
      return
    }
    // The rows are sent as one JSON parameter, because a statement with a parameter for each value would be slower to build and to parse.
    for (const chunk of Arr.chunksOf(rows, ROWS_AT_ONCE)) {
      yield* sql`insert into ${sql(table)} (${named}) select ${named}
        from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(chunk)}) ${conflict}`
    }
  })

  /** Writes new incidents, and the end times of incidents that have ended. */
  const enterIncidents = Effect.fnUntraced(function* (rows: ReadonlyArray<ReturnType<typeof incidentToRow>>) {
    // Postgres rejects a statement that writes the same row twice. Therefore the two rows of an incident that begins and ends within one
    // batch are combined.
    const latest = new Map(rows.map((row) => [`${row.target} ${row.from_at}`, row]))
    const first = new Map(rows.toReversed().map((row) => [`${row.target} ${row.from_at}`, row]))
    for (const chunk of splitChunks([...latest].map(([key, { to_at }]) => ({ ...first.get(key)!, to_at })))) {
      yield* sql`insert into incident ${sql.insert(chunk)} on conflict (target, from_at) do update set
        to_at = coalesce(excluded.to_at, incident.to_at)`
    }
  })

  /** Stores targets, and marks them as monitored. */
  const enter = Effect.fnUntraced(function* (targets: ReadonlyArray<NewTarget>, atMs: number) {
    const rows = targets.map((target) => ({
      ...target,
      labels: JSON.stringify(target.labels),
      watched: 1,
      added_at: atMs
    }))
    for (const chunk of splitChunks(rows)) {
      yield* sql`insert into target ${sql.insert(chunk)} on conflict (address) do update set
        slice = excluded.slice, "group" = excluded."group", labels = excluded.labels, watched = 1`
    }
  })

  const enlist = (targets: ReadonlyArray<NewTarget>, atMs: number) =>
    Effect.andThen(sql`update target set watched = 0 where watched = 1`, enter(targets, atMs))

  /** Repeats a statement that removes at most {@link PRUNED_AT_ONCE} rows, until it removes fewer rows. */
  const inPortions = (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.gen(function* () {
      while ((yield* statement).length >= PRUNED_AT_ONCE) yield* Effect.yieldNow
    })

  /**
   * Decides whether to trust the clock. If the clock is far ahead of the last trusted time, the clock is trusted only after the monitor has
   * run for seven days. Without this delay, retention would remove all history within a minute if the clock is wrong. Returns `undefined`
   * if the clock is trusted.
   */
  const chooseTrustedTime = Effect.fnUntraced(function* (nowMs: number, elapsedMs: number) {
    const [row] = yield* sql<Row>`select at, waited from retention`
    let believed = nowMs
    if (row !== undefined) believed = Number(row["at"])
    else {
      // If the store contains no trusted time, the time of the newest stored hour or change is used instead.
      const [hours] = yield* sql<Row>`select max(hour) as hour from sample`
      const [change] = yield* sql<Row>`select at from change where id <= ${LAST_ID} order by id desc limit 1`
      const newest = Math.max(Number(hours?.["hour"] ?? 0) * HOUR_MS, Number(change?.["at"] ?? 0))
      if (newest > 0) believed = newest
    }
    const aheadMs = nowMs - believed
    const waited = aheadMs <= MOST_AHEAD_MS ? 0 : Number(row?.["waited"] ?? 0) + elapsedMs
    const isBelieved = aheadMs <= MOST_AHEAD_MS || waited >= BELIEVED_AFTER_MS
    const next = isBelieved ? { one: 1, at: nowMs, waited: 0 } : { one: 1, at: believed, waited }
    yield* upsert("retention", ["one"], [next])
    return isBelieved ? undefined : { aheadMs, waitMs: BELIEVED_AFTER_MS - waited }
  })

  /**
   * Removes changes that are older than `beforeMs`. The function checks the time of each change: if the clock was wrong for a while, a
   * change with a larger number can have an earlier time than a change with a smaller number. Changes are read in pages, beginning with the
   * smallest number. If a page contains no old change, and at least one of its changes is not in the future, the function stops after this
   * page.
   */
  const pruneChanges = Effect.fnUntraced(function* (beforeMs: number, nowMs: number) {
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const rows =
        (yield* sql<Row>`select id, at from change where id > ${after} order by id limit ${PRUNED_AT_ONCE}`).map(
          ({ at, id }) => ({ id: Number(id), at: Number(at) })
        )
      const old = rows.filter(({ at }) => at < beforeMs)
      if (old.length > 0) {
        yield* sql`delete from change where id in (${sql.literal(old.map(({ id }) => id).join(", "))})`
      }
      const isDone = old.length === 0 && rows.some(({ at }) => at <= nowMs + MOST_AHEAD_MS)
      if (isDone || rows.length < PRUNED_AT_ONCE) return
      after = rows.at(-1)!.id
      yield* Effect.yieldNow
    }
  })

  return Store.of({
    claim: (owner, slices) =>
      Effect.gen(function* () {
        const rows = slices.map((slice) => ({ slice: slice + offset, owner, epoch: 1 }))
        const claimed = yield* Effect.forEach(
          splitChunks(rows),
          (chunk) => sql<Row>`insert into slice ${sql.insert(chunk)}
            on conflict (slice) do update set owner = excluded.owner, epoch = slice.epoch + 1 returning slice, epoch`
        )
        return claimed.flat().map((row) => [Number(row["slice"]) - offset, Number(row["epoch"])] as const)
      }).pipe(
        inTransaction,
        Effect.map((claimed) => {
          const foreign = claimed.filter(([slice, epoch]) => mine.get(slice) !== epoch - 1)
          for (const [slice, epoch] of claimed) mine.set(slice, epoch)
          return foreign.map(([slice]) => slice)
        })
      ),

    enlist: (targets, atMs) => enlist(targets, atMs).pipe(inTransaction),

    publish: (config, targets, atMs) =>
      Effect.gen(function* () {
        const changed = yield* sql`insert into plan ${sql.insert({ one: 1, version: 1, config })}
          on conflict (one) do update set config = excluded.config, version = plan.version + 1
          where plan.config <> excluded.config returning version`
        if (changed.length > 0) yield* enlist(targets, atMs)
        const [row] = yield* sql<Row>`select version from plan`
        return Number(row!["version"])
      }).pipe(inTransaction),

    published: (version) =>
      Effect.map(
        read(sql`select version, config from plan where version <> ${version}`, (row) => ({
          version: Number(row["version"]),
          config: row["config"] as string
        })),
        ([plan]) => plan
      ),

    lists: (after) =>
      read(
        sql`select source, version, found from list where version > ${after} order by version`,
        ({ found, source, version }) => ({ source: source as string, version: Number(version), text: found as string })
      ),

    saveList: ({ source, text }, coming, leaving, atMs) =>
      Effect.gen(function* () {
        for (const chunk of splitChunks(leaving)) {
          yield* sql`update target set watched = 0 where ${sql.in("address", chunk)}`
        }
        yield* enter(coming, atMs)
        // The lock ensures that only one session at a time stores a list. Therefore a reader that continues after the last version that it
        // has read misses no list.
        yield* lock(sql, "list")
        const [newest] = yield* sql<Row>`select max(version) as version from list`
        const version = Number(newest?.["version"] ?? 0) + 1
        yield* upsert("list", ["source"], [{ source, version, found: text }])
        yield* sql`delete from reading where source = ${source}`
      }).pipe(inTransaction),

    beginReading: (source, atMs) =>
      asStore(
        Effect.asVoid(sql`insert into reading ${sql.insert({ source, began_at: atMs, attempts: 1 })}
          on conflict (source) do update set began_at = excluded.began_at, attempts = reading.attempts + 1`)
      ),

    unfinishedReading: (source) =>
      Effect.map(
        read(sql`select attempts, began_at from reading where source = ${source}`, (row) => ({
          attempts: Number(row["attempts"]),
          beganAt: Number(row["began_at"])
        })),
        ([attempt]) => attempt
      ),

    dropLists: (except) =>
      Effect.forEach(
        ["list", "reading"],
        (table) =>
          sql`delete from ${sql(table)} where ${except.length === 0 ? sql`1 = 1` : sql`not ${sql.in("source", except)}`}`,
        { discard: true }
      ).pipe(asStore),

    watched: Effect.map(
      read(
        sql`select id, address from target where watched = 1`,
        (row) => [row["address"] as string, Number(row["id"])] as const
      ),
      (all) => new Map(all)
    ),

    known: (of, numbers) =>
      Effect.gen(function* () {
        const column = sql(of === "targets" ? "target.id" : "target.slice")
        const found = new Map<number, Known>()
        for (const some of Arr.chunksOf(numbers, NAMED_AT_ONCE)) {
          const rows = yield* sql<Row>`select target.address as address, known.* from ${sql(latestTable)} as known
            join target on target.id = known.target
            where target.watched = 1 and ${here} and ${column} in (${sql.literal(some.join(", "))})`
          for (const row of rows)
            found.set(Number(row["target"]), decodeKnown(row["address"] as string, row, unreadable))
        }
        for (const row of yield* sql<Row>`select at, targets from under_way where location = ${number}`) {
          const at = Number(row["at"])
          for (const target of unreadable.guard("under_way", () => targetsInFlight(row), [])) {
            // If a query of a target is in flight, the time of this query is returned as the time of the target's last query. This also
            // applies if no state of the target is stored.
            const known = found.get(target) ?? (of === "targets" ? undefined : unknown())
            if (known !== undefined && at > (known.queriedAt ?? 0)) found.set(target, { ...known, queriedAt: at })
          }
        }
        return found
      }).pipe(asStore),

    write: ({ changes, hours, incidents, known, positions }) =>
      Effect.suspend(() => {
        // While the function waits for the database, the states of targets can change. Therefore all rows are encoded before the first
        // wait, and describe the states at the same moment.
        const changed = changes.map((change) => [change.slice, changeToRow(change)] as const)
        const [fresh, usual]: [Array<OfKnown>, Array<OfKnown>] = [[], []]
        for (const { hasAnswer, known: what, slice, target } of known) {
          const row = Object.assign(encodeKnownRow(target, what, encodeBytes), place)
          if (hasAnswer === true) usual.push([slice, row])
          else fresh.push([slice, Object.assign(row, answerColumn(what))])
        }
        const samples = hours.map(
          ({ samples, slice, target }) => [slice, { ...encodeHourRow(target, samples, encodeBytes), ...place }] as const
        )
        const happened = incidents.map((incident) => [incident.slice, incidentToRow(incident)] as const)
        const marks = [...positions].map(([name, id]) => ({ name, told: id }))
        return Effect.gen(function* () {
          const ours = new Set(yield* findOwnSlices())
          const own = <A>(rows: ReadonlyArray<readonly [slice: number, row: A]>): ReadonlyArray<A> =>
            rows.flatMap(([slice, row]) => (ours.has(slice) ? [row] : []))
          // The rows in `usual` have no column `answer`, because the store already contains the last replies of these targets.
          for (const rows of [fresh, usual]) yield* upsert(latestTable, ["target", ...Object.keys(place)], own(rows))
          yield* upsert(sampleTable, ["target", "hour", ...Object.keys(place)], own(samples))
          // While this instance was disconnected, another instance may have stored a later position. Therefore a stored position is never
          // replaced by an earlier position.
          for (const mark of marks) {
            yield* sql`insert into webhook ${sql.insert(mark)} on conflict (name) do update set told = excluded.told
              where webhook.told < excluded.told`
          }
          // Incidents, disagreements and changes are stored only for the overall state. Changes are written last, because `append` acquires
          // a lock that blocks other writers of changes until the end of the transaction.
          if (location === undefined) {
            yield* enterIncidents(own(happened))
            yield* upsert("disagreement", ["target"], disagreementsIn(own(changed)))
            yield* append(own(changed))
          }
          return [...mine.keys()].filter((slice) => !ours.has(slice))
        }).pipe(inTransaction)
      }).pipe(Effect.tap((lost) => Effect.sync(() => lost.forEach((slice) => mine.delete(slice))))),

    noteInFlight: (owner, targets, atMs, isMore = false) => {
      const both = sql`case when excluded.targets = '[]' then under_way.targets when under_way.targets = '[]' then excluded.targets
        else substr(under_way.targets, 1, length(under_way.targets) - 1) || ',' || substr(excluded.targets, 2) end`
      const row = { owner, location: number, at: atMs, targets: JSON.stringify(targets) }
      return asStore(sql`insert into under_way ${sql.insert(row)} on conflict (owner, location) do update set
        at = excluded.at, targets = ${isMore ? both : sql`excluded.targets`}`)
    },

    changes: ({ after, before, field, limit, target }) => {
      const ofTarget = target === undefined ? sql`1 = 1` : sql`target = ${target}`
      const ofField = field === undefined ? sql`1 = 1` : sql`field = ${field}`
      const readable = sql`id <= ${LAST_ID}`
      const later = after === undefined ? sql`1 = 1` : sql`id > ${after}`
      const earlier = before === undefined ? sql`1 = 1` : sql`id < ${before}`
      const order = after === undefined ? sql`desc` : sql`asc`
      // With the day as the first sort key, Postgres can read the changes of a target from the index `change_of_day` in the required order.
      const day = isPg && target !== undefined ? sql`id / 86400000000 ${order},` : sql``
      const found = sql.and([readable, ofTarget, ofField, later, earlier])
      const rows = sql<Row>`select * from change where ${found} order by ${day} id ${order} limit ${limit}`
      return Effect.map(asStore(rows), (all) =>
        all.flatMap((row) => unreadable.guard("change", () => [decodeChange(row)], []))
      )
    },

    hours: (target, fromMs, toMs) => read(hoursFrom(sql, sampleTable, target, fromMs, toMs, here), rowToHour),

    unreadable,
    stateTime: (targets, fromMs, toMs) =>
      Effect.gen(function* () {
        const found = new Map<number, StateTime>()
        for (const some of Arr.chunksOf(targets, NAMED_AT_ONCE)) {
          const rows =
            yield* sql<Row>`select target, sum(up_ms) as up_ms, sum(down_ms) as down_ms, sum(muted_ms) as muted_ms
            from ${sql(sampleTable)} where target in (${sql.literal(some.join(", "))}) and ${here}
              and hour >= ${Math.floor(fromMs / HOUR_MS)} and hour < ${Math.floor(toMs / HOUR_MS)} group by target`
          for (const row of rows) found.set(Number(row["target"]), rowToTime(row))
        }
        return found
      }).pipe(asStore),

    incidents: ({ after, fromMs, group, limit, target, toMs }) => {
      const wanted = sql.and([
        fromMs === undefined ? sql`1 = 1` : sql`(to_at is null or to_at >= ${fromMs})`,
        toMs === undefined ? sql`1 = 1` : sql`from_at < ${toMs}`,
        target === undefined ? sql`1 = 1` : sql`target in (${sql.literal([target].flat().join(", "))})`,
        group === undefined ? sql`1 = 1` : sql`"group" = ${group}`,
        after === undefined ? sql`1 = 1` : sql`(from_at, target) < (${after.from}, ${after.target})`
      ])
      const rows = read(
        sql`select incident.*, target.address, target."group", target.watched from incident join target on target.id = incident.target
          where ${wanted} order by from_at desc, target desc limit ${limit}`,
        (row) => row
      )
      return Effect.map(rows, (all) =>
        all.flatMap((row) => unreadable.guard("incident", () => [decodeIncident(row)], []))
      )
    },

    findings: (query) => {
      const which =
        query === undefined
          ? sql`to_at is null and target in (select id from target where watched = 1)`
          : sql`target = ${query.target} order by from_at desc, kind limit ${query.limit}`
      const rows = asStore(sql<Row>`select * from finding where ${which}`)
      return Effect.map(rows, (all) =>
        all.flatMap((row) => unreadable.guard("finding", () => [decodeFinding(row)], []))
      )
    },

    judge: (judgements, atMs, endAfterMs) =>
      Effect.gen(function* () {
        yield* lock(sql, "finding")
        const stored = yield* sql<Row>`select * from finding where to_at is null`
        const open = stored.flatMap((row) => unreadable.guard("finding", () => [decodeFinding(row)], []))
        const { changes, rows } = compareFindings(open, judgements, atMs, endAfterMs)
        yield* upsert("finding", ["target", "kind", "from_at"], rows.map(findingToRow))
        return (yield* append(changes.map((change) => changeToRow({ id: 0, ...change })))).map(decodeChange)
      }).pipe(inTransaction),

    mutes: (sinceMs) =>
      read(sql`select * from mute where until_at is null or until_at >= ${sinceMs} order by id`, decodeMute),

    addMute: ({ from, kind, note, until, what }) =>
      Effect.map(
        read(
          sql`insert into mute ${sql.insert({ kind, what, from_at: from, until_at: until ?? null, note })} returning id`,
          (row) => Number(row["id"])
        ),
        ([id]) => id!
      ),

    endMute: (id, atMs) =>
      Effect.map(
        read(
          sql`update mute set until_at = case when until_at < ${atMs} then until_at else ${atMs} end where id = ${id} returning id`,
          () => true
        ),
        (ended) => ended.length > 0
      ),

    webhookPosition: (webhook) =>
      Effect.map(
        read(sql`select told from webhook where name = ${webhook}`, (row) => Number(row["told"])),
        ([id]) => id
      ),

    prune: ({ changeDays, fineDays, hourlyDays }, nowMs, elapsedMs) =>
      Effect.gen(function* () {
        const wait = yield* sql.withTransaction(chooseTrustedTime(nowMs, elapsedMs))
        if (wait !== undefined) return wait
        const before = (days: number): number => nowMs - days * DAY_MS
        const beforeHour = (days: number): number => Math.ceil(before(days) / HOUR_MS)
        const many = sql.literal(String(PRUNED_AT_ONCE))
        for (const [table, columns] of SAMPLES) {
          const [rows, key] = [sql(table), sql.literal(columns)]
          yield* inPortions(sql`delete from ${rows} where (${key}) in
            (select ${key} from ${rows} where hour < ${beforeHour(hourlyDays)} limit ${many}) returning target`)
          yield* inPortions(sql`update ${rows} set fine = null where (${key}) in
            (select ${key} from ${rows} where hour < ${beforeHour(fineDays)} and fine is not null limit ${many})
            returning target`)
        }
        for (const table of ["under_way", "wanted"]) yield* sql`delete from ${sql(table)} where at < ${nowMs - DAY_MS}`
        yield* inPortions(sql`delete from finding where (target, kind, from_at) in
          (select target, kind, from_at from finding where to_at < ${before(changeDays)}
            or (seen_at < ${before(changeDays)} and target not in (select id from target where watched = 1)) limit ${many})
          returning target`)
        yield* sql`delete from mute where until_at < ${before(changeDays)}`
        yield* inPortions(sql`delete from incident where (target, from_at) in
          (select target, from_at from incident where from_at < ${before(changeDays)}
            and (to_at < ${before(changeDays)} or target not in (select id from target where watched = 1)) limit ${many})
          returning target`)
        yield* pruneChanges(before(changeDays), nowMs)
        return undefined
      }).pipe(asStore)
  })
})

/**
 * Creates the rows of the table `disagreement` from changes of the field `disagreement`. If a target has several changes of this field, its
 * last change is used.
 */
const disagreementsIn = (changed: ReadonlyArray<ReturnType<typeof changeToRow>>) =>
  Array.from(
    new Map(changed.flatMap(({ became, field, target }) => (field === "disagreement" ? [[target, became]] : []))),
    ([target, said]) => ({ target, said })
  )

const opened = (location?: number) =>
  Effect.catchTag(make(location), "SqlError", (error) =>
    Effect.fail(new StoreFailed({ message: `Cannot open the store: ${explainSqlError(error)}.` }))
  )

/** The store of the overall state, in the database of the SQL client. */
export const layer: Layer.Layer<Store, StoreFailed, SqlClient.SqlClient> = Layer.effect(Store, opened())

/**
 * The store of one location, in the same database as the store of the overall state. `location` is the number of the location. Only the
 * store of the overall state contains the list of targets, the configuration, changes and incidents.
 */
export const locationLayer = (location: number): typeof layer =>
  Layer.effect(
    Store,
    Effect.map(opened(location), (store) => ({ ...store, ...withoutTargets }))
  )
