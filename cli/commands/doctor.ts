import { type Command, Option } from 'commander'
import { type CheckName, type CheckResult, checkNames } from '../doctor/check-result.ts'
import { print, printJson, styled, wrapped } from '../print.ts'

export function doctor(program: Command): void {
  program
    .command('doctor')
    .summary('Check everything that the service needs.')
    .description(
      'Check everything that the service needs: settings, database, schema, signing key, issuers, port, providers. Changes nothing, and says how to fix a fault. The exit code is 1 when a check fails.',
    )
    .addOption(
      new Option('--only <check...>', 'Make only these checks, after that of the settings.').choices(checkNames),
    )
    .addOption(new Option('--skip <check...>', 'Leave these checks out.').choices(checkNames).conflicts('only'))
    .option('--json', 'One JSON object per line.')
    .addHelpText('after', doctorExamples)
    .action(diagnose)
}

interface DoctorOptions {
  readonly only?: readonly CheckName[]
  readonly skip?: readonly CheckName[]
  readonly json?: true
}

const doctorExamples = `
Example, for a host that reaches no provider:
  muster doctor --skip providers port`

async function diagnose({ only = checkNames, skip = [], json }: DoctorOptions): Promise<void> {
  const show = json ? printJson : printResult
  const names = only.filter((name) => !skip.includes(name))
  // Loaded here, because it imports most of the service.
  const { runChecks } = await import('../doctor/run-checks.ts')
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
