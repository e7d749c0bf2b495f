import { InvalidArgumentError } from 'commander'
import { Fault } from './errors.ts'

/** `--json` of commands that print a list with `printRows`. */
export const jsonLinesOption = ['--json', 'Print one JSON object per line, even on a terminal.'] as const

export const userArgument = ['<user>', 'Email or ID.'] as const

/** For commands that grant rights: see `findTrustedAccount`. */
export const unprovedOption = ['--unproved', 'Accept an unverified email. Anyone may have signed up with it.'] as const

/** Parses the value of an option that is a whole number. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** Trims a text of limited length. `what` begins the error, such as `The name of a role`. */
export function requireText(text: string, what: string, charactersMax: number): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= charactersMax) return trimmed
  throw new Fault(`${what} must have 1 to ${charactersMax} characters.`)
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a duration such as `90m`, `24h` or `7d`. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * unitMs[unit] : undefined
}

/** Reads a time, or how long ago it was. */
export function readTime(text: string): Date {
  const agoMs = durationMs(text)
  const time =
    agoMs === undefined && /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(Date.now() - (agoMs ?? Number.NaN))
  if (!Number.isNaN(time.getTime())) return time
  throw new Fault(`${text} is not a time. Write a time such as 2026-01-31T09:00Z, or how long ago, such as 24h.`)
}
