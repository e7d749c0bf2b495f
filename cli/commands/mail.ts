import type { Command } from 'commander'
import { type FaultyMails, readMailStatus } from '../../src/platform/mail/mail-status.ts'
import { serverOf } from '../../src/platform/mail/settings.ts'
import { printJson, printPairs } from '../print.ts'
import { withConfig } from '../with-database.ts'

export function mail(group: Command): void {
  group
    .command('status')
    .description(
      'Show the mail server and queued and failed mail. Groups mail by kind and error, for the last 7 days. Shows no recipients and no content.',
    )
    .option('--json', 'Print one JSON object.')
    .action(showStatus)
  group
    .command('test')
    .description(
      'Send a test email immediately, without the queue. Exits with 1 if the mail server does not accept it. Needs no database.',
    )
    .argument('<address>', 'Recipient.')
    .option('--language <language>', 'Language: en or de. Default: MUSTER_MAIL_LANGUAGE.')
    .addHelpText('after', example)
    .action(async (recipient: string, options) => (await import('../mail/send-test.ts')).sendTest(recipient, options))
}

const example = `
Example:
  muster mail test ada@example.com`

async function showStatus({ json }: { readonly json?: true }): Promise<void> {
  await withConfig(async ({ database, config }) => {
    const status = await readMailStatus(database)
    const server = config.mail ? serverOf(config.mail) : null
    if (json) return printJson({ server, ...status })
    const { waiting, oldestSeconds, sent, retried, givenUp } = status
    printPairs([
      ['server', server ?? 'none: set MUSTER_SMTP_URL'],
      ['queued', waiting === 0 ? '0' : `${waiting}, the oldest for ${oldestSeconds} s`],
      ...retried.map(pairOf),
      ['sent in 24 hours', String(sent)],
      ['failed in 7 days', String(givenUp.reduce((sum, { mails }) => sum + mails, 0))],
      ...givenUp.map(pairOf),
    ])
  })
}

function pairOf({ kind, fault, mails }: FaultyMails): readonly [string, string] {
  return [`  ${kind}`, `${mails}, ${fault}`]
}
