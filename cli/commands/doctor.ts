import { type Command, Help } from 'commander'
import type { CheckResult } from '../doctor/check-result.ts'
import { print, printJson, styled } from '../print.ts'

export function doctor(program: Command): void {
  program
    .command('doctor')
    .summary('Look at everything that the service needs.')
    .description(
      'Look at everything that the service needs: settings, database, schema, signing key, issuers, port, providers. Changes nothing, and says what to do. The exit code is 1 where something fails.',
    )
    .option('--json', 'One JSON object a line.')
    .action(({ json }: { json?: true }) => diagnose(json ? printJson : printFinding))
}

async function diagnose(tell: (finding: CheckResult) => void): Promise<void> {
  // Loaded here, because it looks into all the rooms.
  const { runChecks } = await import('../doctor/run-checks.ts')
  for await (const finding of runChecks(process.env)) {
    tell(finding)
    if (finding.level === 'fail') process.exitCode = 1
  }
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const

const indent = 'ok    signing key  '.length

function printFinding({ level, about, message }: CheckResult): void {
  const lines = new Help().boxWrap(message, Math.max(40, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - indent))
  const head = `${styled(colours[level], level.padEnd(4))}  ${about.padEnd(11)}  `
  print(head + lines.replaceAll('\n', `\n${' '.repeat(indent)}`))
}
