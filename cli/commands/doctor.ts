import { type Command, Help } from 'commander'
import type { CheckResult } from '../doctor/check-result.ts'
import { print, printJson, styled } from '../print.ts'

export function doctor(program: Command): void {
  program
    .command('doctor')
    .summary('Check everything that the service needs.')
    .description(
      'Check everything that the service needs: settings, database, schema, signing key, issuers, port, providers. Changes nothing, and says how to fix a fault. The exit code is 1 when a check fails.',
    )
    .option('--json', 'One JSON object per line.')
    .action(({ json }: { json?: true }) => diagnose(json ? printJson : printResult))
}

async function diagnose(show: (result: CheckResult) => void): Promise<void> {
  // Loaded here, because it imports most of the service.
  const { runChecks } = await import('../doctor/run-checks.ts')
  for await (const result of runChecks(process.env)) {
    show(result)
    if (result.level === 'fail') process.exitCode = 1
  }
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const

const indent = 'ok    signing key  '.length

function printResult({ level, about, message }: CheckResult): void {
  const lines = new Help().boxWrap(message, Math.max(40, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - indent))
  const head = `${styled(colours[level], level.padEnd(4))}  ${about.padEnd(14)}  `
  print(head + lines.replaceAll('\n', `\n${' '.repeat(indent)}`))
}
