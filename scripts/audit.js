/**
 * Asks the npm registry about the packages in the lock file: known vulnerabilities of production packages, and the
 * signatures of all packages. A check without a report, for example without a network, is "not run" and never "passed".
 * Fails if a report has a finding.
 * node scripts/audit.js
 */
import { spawnSync } from 'node:child_process'

const network = ['--fetch-retries=0', '--fetch-timeout=20000']
const audits = [
  { args: ['audit', '--omit=dev', '--audit-level=high'], isReport: (answer) => 'auditReportVersion' in answer },
  { args: ['audit', 'signatures'], isReport: (answer) => 'invalid' in answer && 'missing' in answer },
]

for (const { args, isReport } of audits) {
  const { status, stdout } = spawnSync('npm', [...args, '--json', ...network], { encoding: 'utf8' })
  const result = isReport(parsed(stdout))
    ? status === 0
      ? 'passed'
      : 'FAILED'
    : 'not run: the registry gave no report'
  process.stdout.write(`npm ${args.join(' ')}: ${result}\n`)
  if (result === 'FAILED') process.exitCode = 1
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
