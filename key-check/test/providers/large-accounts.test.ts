import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultLimits } from '../../engine/limits.ts'
import type { Sent } from '../../simulator/recording.ts'
import {
  type ProvidersSimulator,
  readRecordings,
  type ServedAnswer,
  startProvidersSimulator,
} from '../../simulator/server.ts'
import { check, open, providers } from './recorded-check.ts'

/** An account of 5,000 zones with 5,000 records each. A page has as many zones as the call asks for. */
const entries = 5_000

const recordings = await readRecordings()
const good = recordings.flatMap((recording) =>
  recording.answers
    .filter(({ verdict }) => verdict?.isValid && verdict.code === 'valid')
    .map((answer) => [`${recording.id} ${recording.call.path} ${answer.name}`, recording, answer] as const),
)

let simulator: ProvidersSimulator
beforeAll(async () => {
  simulator = await startProvidersSimulator()
  simulator.change = enlarged
})
afterAll(() => simulator.close())

test.each(good)('a large account has a verdict within the deadline: %s', async (_, recording, answer) => {
  const keyChecks = await open(simulator)
  const result = await check(keyChecks, recording, answer)
  expect(result).toMatchObject({ outcome: 'valid', details: { code: 'valid' } })
})

function enlarged(answer: ServedAnswer, sent: Sent): ServedAnswer {
  if (answer.status !== 200 || typeof answer.body !== 'string' || neverGrows(sent)) return answer
  const body = parsed(answer.body)
  return body === undefined ? answer : { ...answer, body: textOf(body, pageOf(sent), looksUp(sent)) }
}

/** What a provider file declares about its first read. */
function neverGrows({ id, path }: Sent): boolean {
  const isFirst = recordings.some((recording) => recording.id === id && recording.call.path === path && !recording.asks)
  return isFirst && providers.get(id)?.firstRead?.grows === 'never'
}

/** An empty list in an answer about one zone is the whole list. */
function looksUp({ id, path }: Sent): boolean {
  return recordings.some((recording) => recording.id === id && recording.call.path === path && recording.asks?.zone)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many entries the call asks for, whatever the provider calls that. */
function pageOf({ path, body }: Sent): number {
  const size =
    /(?:per_?page|limit|page_?size|max_?results|maxitems|max|count|top|first|rows|take)[^\w/]{1,6}(\d+)/i.exec(
      path + body,
    )?.[1]
  return size === undefined ? entries : Number(size)
}

/** Stands for an entry where an empty list was recorded. */
const zone = {
  id: 1,
  ...Object.fromEntries(['name', 'domain', 'fqdn', 'zone', 'unicode-name'].map((name) => [name, 'example.org'])),
}

/**
 * As JSON, with every list of objects at this length, and every text of several lines. Inner lists are not paged. Short lists
 * stay: empty ones (`isWhole`), and those of a record set, which has a `ttl`.
 */
function textOf(value: unknown, length: number, isWhole: boolean): string {
  if (Array.isArray(value)) {
    if (value.length === 0 && isWhole) return '[]'
    const texts = (value.length === 0 ? [zone] : value).map((entry) => textOf(entry, entries, true))
    const isOfObjects = value.every((entry) => typeof entry === 'object' && entry !== null)
    return `[${texts.join(',')}${isOfObjects && texts.length < length ? many(`,${texts.at(-1)}`, length - texts.length) : ''}]`
  }
  if (typeof value === 'string') return JSON.stringify(value.includes('\n') ? many(value, entries) : value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isWhole && 'ttl' in value) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${textOf(member, length, isWhole)}`,
  )
  return `{${members.join(',')}}`
}

/** Several times as long as what a check reads, so there is no more. */
function many(text: string, times: number): string {
  return text.repeat(Math.min(times, Math.ceil((4 * defaultLimits.answerBytesMax) / text.length)))
}
