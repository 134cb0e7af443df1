/**
 * Audits the store of a fleet: database triggers record each row that a runner writes without owning the row's slice. Other functions of
 * this module count the stored queries, and find changes that were lost or stored twice.
 */
import { execFileSync } from "node:child_process"
import { HourSamples } from "../../../packages/monitor/src/history/HourSamples.ts"
import { SLICES } from "../../../packages/monitor/src/store/slices.ts"
import { externalProgram } from "../../testing/externalProgram.ts"

const TRIGGER = `
create table audit (at timestamptz default now(), writer text, owner text, place text);
create sequence audited_rows;
create function audited() returns trigger language plpgsql as $$
declare holder text; location int := 0;
begin
  perform nextval('audited_rows');
  if tg_table_name like 'location%' then location := new.location; end if;
  select slice.owner into holder from target
    join slice on slice.slice = target.slice + ${SLICES} * location where target.id = new.target;
  if holder <> current_setting('application_name') then
    insert into audit (writer, owner, place) values (current_setting('application_name'), holder, tg_table_name);
  end if;
  return new;
end $$;
-- In the order in which runners write, or both would wait for each other.
${["latest", "sample", "change", "location_latest", "location_sample"]
  .map((table) => `create trigger audited after insert or update on ${table} for each row execute function audited();`)
  .join("\n")}
`

const client = externalProgram("psql", "postgresql-client") ?? "psql"

/** Runs an SQL statement with `psql`, and returns the output. */
export const psql = (url: string, sql: string): string =>
  execFileSync(client, [url, "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-c", sql], { encoding: "utf8" }).trim()

const number = (url: string, sql: string): number => Number(psql(url, sql))

/** Installs the triggers. The tables of the store must already exist. */
export const beginAudit = (url: string): string => psql(url, TRIGGER)

/** Number of times that a runner wrote a row without owning the row's slice. */
export const foreignWrites = (url: string): number => number(url, "select count(*) from audit")

/**
 * Number of writes that the triggers checked. Each time that a runner writes a row, a trigger checks whether the runner owns the row's
 * slice.
 */
export const auditedRows = (url: string): number =>
  number(url, "select case when is_called then last_value else 0 end from audited_rows")

/** Number of queries in the stored history, including the queries of the current hour. */
export const questionsStored = (url: string): number => {
  const over = number(url, "select coalesce(sum(asked), 0) from sample")
  const hours = psql(url, "select encode(samples, 'hex') from latest where samples is not null").split("\n")
  return hours.reduce((sum, hex) => sum + HourSamples.unpack(0, Buffer.from(hex, "hex")).total().asked, over)
}

export const changes = (url: string): number => number(url, "select count(*) from change")

/**
 * Compares each stored map change with the previous map change of the same target. Returns how often the previous change ended with another
 * map than the map from which this change started. If these two maps differ, a change was stored twice or was lost.
 */
export const brokenChains = (url: string): number =>
  number(
    url,
    `select count(*) from (select was, lag(became) over (partition by target order by id) as before
      from change where field = 'map') as chain where before <> was`
  )

/** Finds the target whose last query is the oldest, and returns the time since this query in ms. */
export const oldestAge = (url: string): number =>
  number(url, "select extract(epoch from now()) * 1000 - min(asked_at) from latest")
