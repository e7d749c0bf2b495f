import type { Command } from 'commander'
import { type AnsweredCall, type KeyChecks, type KeyType, keyChecks, type ProviderInfo } from '../../key-check/index.ts'
import { readConfig } from '../../src/config.ts'
import { keyCheckOptions, verdictOf } from '../../src/key-checks/library.ts'
import { versionAndCommit } from '../../src/platform/package-root.ts'
import { Problem } from '../../src/platform/problems.ts'
import { writeDraft } from '../draft-file.ts'
import { runForVerdict, undeterminedExitCode } from '../errors.ts'
import {
  type Credential,
  completeCredential,
  type GivenCredential,
  infoOf,
  openCredential,
} from '../keys/credential.ts'
import { failedCallNotes } from '../keys/failed-call-notes.ts'
import { note, print, printJson, styled } from '../print.ts'
import { madeUpCredential } from '../providers/made-up-key.ts'
import { credentialGuard, type Guard, redactedBody, redactedHeaders, redactedPath } from '../providers/redact.ts'
import { addKeyOptions, asUndetermined } from './keys.ts'

export function providers(group: Command): void {
  const probe = group
    .command('probe')
    .description(
      'Test Muster against a provider’s live API. Checks your key and a made-up key of the same form, and prints the redacted responses and how Muster understood them. The command prompts for the key or reads it from standard input. Needs no database.',
    )
    .argument('<id>', 'Provider, such as cloudflare.')
  addKeyOptions(probe)
    .option('--only-real', 'Skip the made-up key, which a provider may count as a failed sign-in.')
    .option('--record <file>', 'Also write the redacted responses to a new file.')
    .option('--json', 'Print the format of --record.')
    .addHelpText('after', exitCodes)
    .exitOverride(asUndetermined)
    .action(probeProvider)
}

const exitCodes = `
Exit codes:
  0  your key was valid, and the made-up key invalid
  1  another result
  2  the provider did not check a key, or the command could not start

Examples:
  muster providers probe hetzner < token.txt
  muster providers probe hetzner --only-real --record hetzner.json`

interface ProbeOptions extends GivenCredential {
  readonly onlyReal?: true
  readonly record?: string
  readonly json?: true
}

/** Sets the exit code: see `exitCodes`. */
async function probeProvider(id: string, options: ProbeOptions): Promise<void> {
  await runForVerdict(async () => {
    const record = await probe(id, options)
    if (options.json) printJson(record)
    else printRecord(record)
    return exitCodeOf(record)
  })
}

async function probe(id: string, options: ProbeOptions): Promise<ProbeRecord> {
  const config = readConfig(process.env)
  const calls: AnsweredCall[] = []
  const onAnswer = (call: AnsweredCall) => void calls.push(call)
  const checks = await keyChecks({ ...keyCheckOptions(config), onCall: failedCallNotes(), onAnswer })
  try {
    const input = await completeCredential(options, checks, id)
    const info = infoOf(checks, id)
    const madeUp = info && !options.onlyReal ? madeUpCredential(input, info) : undefined
    const guard = credentialGuard(madeUp ? [input, madeUp] : [input])
    const ask = { keyChecks: checks, calls, guard }
    return await recordedIn(options.record, async () => {
      if (info) announce(info, options, madeUp !== undefined)
      const probed = [await probeKey('real key', input, ask)]
      if (madeUp) probed.push(await probeKey('made-up key', madeUp, ask))
      return {
        provider: info?.id ?? id,
        keyType: input.keyType,
        date: today(),
        muster: versionAndCommit(),
        checks: probed,
      }
    })
  } finally {
    await checks.close()
  }
}

function announce({ title }: ProviderInfo, { onlyReal }: ProbeOptions, hasMadeUp: boolean): void {
  note(`Sending your key to ${title} for one check.`)
  if (hasMadeUp) note(`Then sending a random key, which ${title} may count as a failed sign-in. --only-real skips it.`)
  else if (!onlyReal) note('Sending no made-up key, because this key is a file.')
}

interface Ask {
  readonly keyChecks: KeyChecks
  /** Filled by the checks. */
  readonly calls: AnsweredCall[]
  readonly guard: Guard
}

/** Throws only the problems of the input. An undetermined verdict is a result. */
async function probeKey(key: Probed['key'], input: Credential, { keyChecks, calls, guard }: Ask): Promise<Probed> {
  calls.length = 0
  const found = await verdictOf(keyChecks.check(openCredential(input))).then(
    ({ outcome, details }) => ({ isValid: outcome === 'valid', code: details.code }),
    (error: unknown) => {
      if (error instanceof Problem && error.code.startsWith('provider_') && error.code !== 'provider_unsupported')
        return { code: error.code }
      throw error
    },
  )
  const comparison = comparisonOf(key, found, calls.length)
  return { key, ...found, comparison, calls: calls.map((call) => recordedCall(call, guard)) }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** Writes the record to a new file, which is opened before anything is sent. */
async function recordedIn(path: string | undefined, make: () => Promise<ProbeRecord>): Promise<ProbeRecord> {
  if (path === undefined) return make()
  return writeDraft(path, { mayReplace: false, advice: 'Choose another file.' }, async (file) => {
    const record = await make()
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    return record
  })
}

function exitCodeOf({ checks }: ProbeRecord): number {
  if (checks.some(({ comparison }) => comparison === 'differs')) return 1
  return checks.some(({ comparison }) => comparison === 'not compared') ? undeterminedExitCode : 0
}

function printRecord({ provider, muster, checks }: ProbeRecord): void {
  print(`${provider}, compared with the provider file of Muster ${muster}`)
  for (const { key, code, comparison, calls } of checks) {
    print(`\n${styled('bold', key)}`)
    for (const { request, status, headers, body, outcome } of calls) {
      print(`  ${request.method} ${request.path}`)
      print(`  ${'status'.padEnd(16)}  ${status ?? 'no response'}`)
      for (const [name, value] of Object.entries(headers)) print(`  ${name.padEnd(16)}  ${value}`)
      print(`  ${'body'.padEnd(16)}  ${JSON.stringify(body, null, 2).replaceAll('\n', `\n${' '.repeat(20)}`)}`)
      print(`  ${'outcome'.padEnd(16)}  ${outcome}\n`)
    }
    if (calls.length === 0) print('  Nothing was sent.')
    print(`  ${comparison === 'differs' ? styled('red', comparison) : comparison}: ${code}`)
  }
}

/** What `muster providers probe` prints and records. Contains nothing of the credential. */
interface ProbeRecord {
  readonly provider: string
  readonly keyType: KeyType
  /** Day in UTC. */
  readonly date: string
  /** Version of Muster. */
  readonly muster: string
  readonly checks: readonly Probed[]
}

interface Probed extends Found {
  readonly key: 'real key' | 'made-up key'
  readonly comparison: Comparison
  readonly calls: readonly RecordedCall[]
}

/** The code of the verdict, or of the problem where there is no verdict. */
interface Found {
  readonly isValid?: boolean
  readonly code: string
}

type Comparison = 'as expected' | 'differs' | 'not compared'

interface RecordedCall {
  readonly request: { readonly method: string; readonly path: string }
  /** Absent if there was no response. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly outcome: string
}

/** Expects a real key to be valid and a made-up key to be invalid. Otherwise the provider file does not fit the response. */
function comparisonOf(key: Probed['key'], { isValid, code }: Found, calls: number): Comparison {
  if (calls === 0 || notChecked.has(code)) return 'not compared'
  return isValid === (key === 'real key') ? 'as expected' : 'differs'
}

/** Problems after which it is unknown whether the provider checked the key. */
const notChecked: ReadonlySet<string> = new Set([
  'provider_unreachable',
  'provider_timeout',
  'provider_busy',
  'provider_address_refused',
  'provider_clock_refused',
])

function recordedCall({ request, answer, kind, outcome }: AnsweredCall, guard: Guard): RecordedCall {
  const isAnswer = answer.kind === 'answer'
  return {
    request: { method: request.method, path: redactedPath(request.path, guard) },
    ...(isAnswer && { status: answer.status }),
    headers: isAnswer ? redactedHeaders(answer.headers) : {},
    body: isAnswer ? redactedBody(answer, guard) : `<${answer.code}>`,
    outcome: kind === outcome ? kind : `${kind}: ${outcome}`,
  }
}
