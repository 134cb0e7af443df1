/**
 * Formats the value of a fact as a text for people. A number gets its unit, a boolean becomes "yes" or "no", and a mod becomes its name.
 * If a mod has no name, its Workshop id or its hash is shown.
 */
import type { FactValue, Mod, Unit } from "./declaration.ts"

const GAME_DAY = 24_000
const GAME_HOUR = 1000

const two = (value: number): string => String(value).padStart(2, "0")

/** Formats a duration in at most two units, for example `45 s`, `12 min`, `3 h 5 min` or `2 d 3 h`. */
const duration = (seconds: number): string => {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60
  ]
  const parts =
    days > 0
      ? [`${days} d`, hours > 0 && `${hours} h`]
      : hours > 0
        ? [`${hours} h`, minutes > 0 && `${minutes} min`]
        : [minutes > 0 ? `${minutes} min` : `${seconds} s`]
  return parts.filter((part) => part !== false).join(" ")
}

const gameTime = (ticks: number): string => {
  const ofDay = ticks % GAME_DAY
  const minutes = Math.floor(((ofDay % GAME_HOUR) / GAME_HOUR) * 60)
  return `day ${Math.floor(ticks / GAME_DAY) + 1}, ${two(Math.floor(ofDay / GAME_HOUR))}:${two(minutes)}`
}

const UNITS: Readonly<Record<Exclude<Unit, "date">, (value: number) => string>> = {
  seconds: duration,
  minutes: (value) => duration(value * 60),
  metres: (value) => `${value} m`,
  percent: (value) => `${value} %`,
  times: (value) => `${value}×`,
  hundredths: (value) => (value / 100).toFixed(2),
  gameTicks: gameTime
}

/** Formats an ISO 8601 time, for example as `2020-09-13 12:26 UTC`. */
const date = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const modText = ({ hash, id, name }: Mod): string => name ?? (id === undefined ? (hash ?? "?") : `Workshop ${id}`)

/** Returns the text for a fact's value. The text for an empty list is "none". */
export const factText = (value: FactValue, unit?: Unit): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") return unit === undefined || unit === "date" ? String(value) : UNITS[unit](value)
  if (typeof value === "string") return unit === "date" ? date(value) : value
  return value.length === 0 ? "none" : value.map((one) => (typeof one === "string" ? one : modText(one))).join(", ")
}
