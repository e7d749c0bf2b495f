import { type FileHandle, open, rm } from 'node:fs/promises'
import { type AnsweredCall, type KeyChecks, keyChecks, type ProviderInfo } from '../../key-check/index.ts'
import { readConfig } from '../../src/config.ts'
import { keyCheckOptions } from '../../src/key-checks/options.ts'
import { verdictOf } from '../../src/key-checks/verdict.ts'
import { versionAndCommit } from '../../src/platform/package-root.ts'
import { Problem } from '../../src/platform/problems.ts'
import { complete, type GivenCredential, opened, type TypedKey } from '../check-key.ts'
import { Fault, Interrupted, undeterminedExitCode } from '../fault.ts'
import { note, print, printJson, styled } from '../print.ts'
import { reportError } from '../report-error.ts'
import { openLog } from '../with-database.ts'
import { credentialGuard, type Guard } from './credential-guard.ts'
import { madeUpInput } from './made-up-key.ts'
import { comparisonOf, type Probed, type ProbeRecord, recordedCall } from './probe-record.ts'

export interface ProbeOptions extends GivenCredential {
  readonly onlyReal?: true
  readonly record?: string
  readonly json?: true
}

/**
 * Runs `muster providers probe`. Exit code 0: every answer led to what the provider file expects of such a key; 1: one did not; 2: a key
 * was not looked at, or an error.
 */
export async function probeProvider(id: string, options: ProbeOptions): Promise<void> {
  try {
    const record = await probe(id, options)
    if (options.json) printJson(record)
    else printRecord(record)
    process.exitCode = exitCodeOf(record)
  } catch (error) {
    const exitCode = reportError(error)
    process.exitCode = error instanceof Interrupted ? exitCode : undeterminedExitCode
  }
}

async function probe(id: string, options: ProbeOptions): Promise<ProbeRecord> {
  const config = readConfig(process.env)
  const calls: AnsweredCall[] = []
  const onAnswer = (call: AnsweredCall) => void calls.push(call)
  const checks = await keyChecks({ ...keyCheckOptions(config.providers), log: openLog(), onAnswer })
  try {
    const input = await complete(options, checks, id)
    const info = checks.providers().find((provider) => provider.id === id)
    const madeUp = info && !options.onlyReal ? madeUpInput(input, info) : undefined
    const guard = credentialGuard(madeUp ? [input, madeUp] : [input])
    const ask = { keyChecks: checks, calls, guard }
    return await recordedIn(options.record, async () => {
      if (info) announce(info, options, madeUp !== undefined)
      const probed = [await probeKey('real key', input, ask)]
      if (madeUp) probed.push(await probeKey('made-up key', madeUp, ask))
      return { provider: id, keyType: input.keyType, date: today(), muster: versionAndCommit(), checks: probed }
    })
  } finally {
    await checks.close()
  }
}

function announce({ title }: ProviderInfo, { onlyReal }: ProbeOptions, hasMadeUp: boolean): void {
  note(`Your key is sent to ${title} for one check.`)
  if (hasMadeUp)
    note(`A random made-up key follows, which ${title} may count as a failed sign-in; --only-real leaves it out.`)
  else if (!onlyReal) note('No made-up key is sent: a key that is a file is not made up.')
}

interface Ask {
  readonly keyChecks: KeyChecks
  /** Filled by the checks. */
  readonly calls: AnsweredCall[]
  readonly guard: Guard
}

/** Problems: those of the input. What is not known of the key is a part of the result. */
async function probeKey(key: Probed['key'], input: TypedKey, { keyChecks, calls, guard }: Ask): Promise<Probed> {
  calls.length = 0
  const found = await verdictOf(keyChecks.check(opened(input))).then(
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

/** Writes the record to a file that is not there yet, opened before anything is sent. */
async function recordedIn(path: string | undefined, make: () => Promise<ProbeRecord>): Promise<ProbeRecord> {
  if (path === undefined) return make()
  const file = await openNew(path)
  try {
    const record = await make()
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    return record
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new Fault(isThere ? `${path} is there already: name another file.` : `${path} cannot be written.`)
  })
}

function exitCodeOf({ checks }: ProbeRecord): number {
  if (checks.some(({ comparison }) => comparison === 'differs')) return 1
  return checks.some(({ comparison }) => comparison === 'not compared') ? undeterminedExitCode : 0
}

function printRecord({ provider, muster, checks }: ProbeRecord): void {
  print(`${provider}, compared with its file in Muster ${muster}`)
  for (const { key, code, comparison, calls } of checks) {
    print(`\n${styled('bold', key)}`)
    for (const { request, status, headers, body, outcome } of calls) {
      print(`  ${request.method} ${request.path}`)
      print(`  ${'status'.padEnd(16)}  ${status ?? 'no answer'}`)
      for (const [name, value] of Object.entries(headers)) print(`  ${name.padEnd(16)}  ${value}`)
      print(`  ${'body'.padEnd(16)}  ${JSON.stringify(body, null, 2).replaceAll('\n', `\n${' '.repeat(20)}`)}`)
      print(`  ${'outcome'.padEnd(16)}  ${outcome}\n`)
    }
    if (calls.length === 0) print('  Nothing was sent.')
    print(`  ${comparison === 'differs' ? styled('red', comparison) : comparison}: ${code}`)
  }
}
