import { readFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import type { KeyChecks } from '../../key-check/index.ts'
import { depthMax, parseBoundedJson } from '../../src/platform/json-text.ts'
import { Secret } from '../../src/platform/secret.ts'
import { writeDraft } from '../draft-file.ts'
import { Fault, runForVerdict, undeterminedExitCode } from '../errors.ts'
import { print } from '../print.ts'
import { checkRows, type RowResult } from './check-rows.ts'
import type { KeyRow } from './key-rows.ts'
import { withKeyChecks } from './with-key-checks.ts'

export interface WatchOptions {
  readonly config: string
  readonly days: number
  readonly textfile?: string
  /** Seconds. */
  readonly wait: number
}

/** `muster keys watch`. Exit code 0: all keys are valid and none expires soon. 1: one is invalid or expires soon. 2: one is undetermined. */
export async function watchKeys(options: WatchOptions): Promise<void> {
  await runForVerdict(async () => {
    const rows = await readWatchedKeys(options.config, process.env)
    return withKeyChecks((keyChecks) => checkWatched(rows, { ...options, keyChecks, nowMs: Date.now() }))
  })
}

interface Watch extends Omit<WatchOptions, 'config'> {
  readonly keyChecks: KeyChecks
  readonly nowMs: number
}

export async function checkWatched(rows: readonly KeyRow[], watch: Watch): Promise<number> {
  const results: RowResult[] = []
  const { keyChecks, wait, textfile, days, nowMs } = watch
  const onResult = (result: RowResult) => void results.push(result)
  const { signal } = new AbortController()
  // One at a time: a watch has time, and must not use up the rate limit that the service shares.
  await checkRows(rows, { keyChecks, atOnce: 1, waitMs: wait * 1_000, signal, onResult })
  if (textfile !== undefined)
    // The collector runs as another user, so everyone can read the file.
    await writeDraft(textfile, { mayReplace: true, mode: 0o644 }, (file) => file.writeFile(metricsOf(results, nowMs)))
  const untilMs = nowMs + days * 86_400_000
  const expiresSoon = ({ expiresOn }: RowResult) => expiresOn !== undefined && Date.parse(expiresOn) <= untilMs
  for (const result of results) if (result.outcome !== 'valid' || expiresSoon(result)) print(lineOf(result))
  if (results.some(({ outcome }) => outcome === 'undetermined')) return undeterminedExitCode
  return results.every((result) => result.outcome === 'valid' && !expiresSoon(result)) ? 0 : 1
}

function lineOf({ label, provider, outcome, message, expiresOn }: RowResult): string {
  if (outcome === 'valid') return `${label} (${provider}): expires on ${expiresOn}`
  return `${label} (${provider}): ${outcome}: ${message}`
}

/** Where a secret is. The file of watched keys never contains secrets. */
const Reference = Type.Union([
  Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
])

const WatchedKeys = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          label: Type.String({ minLength: 1, maxLength: 200 }),
          provider: Type.String({ minLength: 1 }),
          keyType: Type.Union([Type.Literal('api_token'), Type.Literal('api_key')]),
          email: Type.Optional(Type.String()),
          key: Reference,
          parts: Type.Optional(Type.Record(Type.String(), Reference)),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1_000 },
    ),
  },
  { additionalProperties: false },
)

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the credentials that a file names. Errors quote no value of the file, because a misplaced value may be a key. */
export async function readWatchedKeys(path: string, env: Environment): Promise<KeyRow[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Fault(`Cannot read ${path}.`)
  })
  const { keys } = parse(text, path)
  if (new Set(keys.map(({ label }) => label)).size < keys.length) throw new Fault('Two keys have the same label.')
  return Promise.all(
    keys.map(async ({ label, provider, keyType, email, key, parts = {} }, index) => {
      const names = Object.keys(parts)
      const secrets = await Promise.all(Object.values(parts).map((part) => secretOf(part, label, env)))
      return {
        line: index + 1,
        label,
        provider,
        keyType,
        email,
        apiKey: await secretOf(key, label, env),
        parts: Object.fromEntries(secrets.map((secret, at) => [names[at] ?? '', secret])),
      }
    }),
  )
}

function parse(text: string, path: string): Static<typeof WatchedKeys> {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch {
    throw new Fault(`${path} is not JSON with at most ${depthMax} levels.`)
  }
  if (Value.Check(WatchedKeys, value)) return value
  const [error] = Value.Errors(WatchedKeys, value)
  // Quotes nothing below: the name of a member may be a pasted key.
  const [place = '/'] = /^\/keys\/\d+/.exec(error?.instancePath ?? '') ?? []
  throw new Fault(`${path} does not have the format of docs/checking-keys.md at ${place}.`)
}

/** Errors do not quote the reference, because it may be a pasted key. */
async function secretOf(reference: Static<typeof Reference>, label: string, env: Environment): Promise<Secret> {
  const value = 'env' in reference ? env[reference.env] : await readFile(reference.file, 'utf8').catch(() => undefined)
  const text = value?.trim()
  if (!text) throw new Fault(`The key "${label}" has no value: its environment variable or file is missing or empty.`)
  if (text.length > 6 && label.includes(text)) throw new Fault('A label contains its key.')
  return new Secret(text)
}

/** Prometheus text format. An undetermined key has no `muster_watched_key_valid`. */
function metricsOf(results: readonly RowResult[], nowMs: number): string {
  const withVerdict = results.filter(({ outcome }) => outcome !== 'undetermined')
  return [
    ...family('valid', '1 if the provider accepts the key, 0 if it does not.', withVerdict, ({ outcome }) =>
      outcome === 'valid' ? 1 : 0,
    ),
    ...family('undetermined', '1 if the last check gave no verdict.', results, ({ outcome }) =>
      outcome === 'undetermined' ? 1 : 0,
    ),
    ...family(
      'expires_timestamp_seconds',
      'When the key expires, if the provider tells it.',
      results.filter(({ expiresOn }) => expiresOn !== undefined),
      ({ expiresOn = '' }) => Date.parse(expiresOn) / 1_000,
    ),
    ...family('checked_timestamp_seconds', 'When the check started.', results, () => Math.floor(nowMs / 1_000)),
    '',
  ].join('\n')
}

function family(
  name: string,
  help: string,
  results: readonly RowResult[],
  sampleOf: (result: RowResult) => number,
): string[] {
  const metric = `muster_watched_key_${name}`
  const samples = results.map(
    (result) =>
      `${metric}{label="${escaped(result.label)}",provider="${escaped(result.provider)}"} ${sampleOf(result)}`,
  )
  return samples.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...samples]
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
