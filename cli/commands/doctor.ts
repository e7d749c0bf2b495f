import { type Command, Option } from 'commander'
import { type Config, openSignUpWarning, readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { ConfigError, type Environment } from '../../src/platform/settings.ts'
import { type CheckName, type CheckResult, checkNames, resultsOf } from '../doctor/check-result.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkIssuers, checkMailServer, checkPort, checkProviders } from '../doctor/network.ts'
import { print, printJson, styled, wrapped } from '../print.ts'

export function doctor(command: Command): void {
  command
    .description(
      'Check settings, database, schema, signing key, issuers, mail, port and providers. Changes nothing, and says how to fix each problem. Exits with 1 if a check fails.',
    )
    .addOption(
      new Option('--only <check...>', 'Run only these checks. The settings are always checked.').choices(checkNames),
    )
    .addOption(new Option('--skip <check...>', 'Skip these checks.').choices(checkNames).conflicts('only'))
    .option('--json', 'Print one JSON object per line.')
    .addHelpText('after', doctorExamples)
    .action(diagnose)
}

interface DoctorOptions {
  readonly only?: readonly CheckName[]
  readonly skip?: readonly CheckName[]
  readonly json?: true
}

const doctorExamples = `
Example for a host that cannot reach providers:
  muster doctor --skip providers port`

async function diagnose({ only = checkNames, skip = [], json }: DoctorOptions): Promise<void> {
  const show = json ? printJson : printResult
  const names = only.filter((name) => !skip.includes(name))
  for await (const result of runChecks(process.env, { names })) {
    show(result)
    if (result.level === 'fail') process.exitCode = 1
  }
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const

const indent = 'warn  second factors  '.length

function printResult({ level, about, message }: CheckResult): void {
  const head = `${styled(colours[level], level.padEnd(4))}  ${about.padEnd(14)}  `
  print(head + wrapped(message, process.stdout, indent))
}

interface ChecksOptions {
  /** Default: all. */
  readonly names?: readonly CheckName[]
  readonly now?: Clock
}

/** Runs the checks one after the other. Changes nothing. */
export async function* runChecks(
  env: Environment,
  { names = checkNames, now = Date.now }: ChecksOptions = {},
): AsyncGenerator<CheckResult, void, void> {
  const settings = resultsOf('settings')
  const config = configOf(env)
  if (config instanceof ConfigError) {
    yield* config.faults.map(settings.fail)
    yield settings.warn('Skipped the other checks, because they depend on the settings.')
    return
  }
  yield settings.ok('All settings are valid.')
  for (const name of checkNames) if (names.includes(name)) yield* await checks[name](config, now)
}

const checks: Readonly<Record<CheckName, (config: Config, now: Clock) => Results | Promise<Results>>> = {
  proxies: checkProxies,
  'sign-up': checkSignUp,
  database: checkDatabase,
  issuers: checkIssuers,
  mail: async ({ mail }) => (mail ? [await checkMailServer(mail)] : []),
  port: async (config) => [await checkPort(config)],
  providers: checkProviders,
}

type Results = Iterable<CheckResult> | AsyncIterable<CheckResult>

function configOf(env: Environment): Config | ConfigError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

/** The service itself speaks plain HTTP. If its public URL is https, a proxy forwards requests, and the service must know it. */
function* checkProxies({ publicUrl, trustedProxies }: Config): Generator<CheckResult, void, void> {
  if (!publicUrl.startsWith('https:') || trustedProxies.length > 0) return
  yield resultsOf('proxies').warn(
    'MUSTER_PUBLIC_URL is https, so a proxy forwards the requests, but MUSTER_TRUSTED_PROXIES is empty. All clients share the address of the proxy, and sign-ins are not limited by network. Add the proxy to MUSTER_TRUSTED_PROXIES.',
  )
}

function* checkSignUp(config: Config): Generator<CheckResult, void, void> {
  const warning = openSignUpWarning(config)
  if (warning) yield resultsOf('sign-up').warn(`${warning}.`)
}
