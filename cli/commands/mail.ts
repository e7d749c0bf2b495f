import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { readConfig } from '../../src/config.ts'
import { languages } from '../../src/platform/mail/kinds.ts'
import { type FaultyMails, readMailStatus } from '../../src/platform/mail/mail-status.ts'
import { renderMail } from '../../src/platform/mail/sender.ts'
import { type MailSettings, serverOf } from '../../src/platform/mail/settings.ts'
import { readTemplates } from '../../src/platform/mail/templates.ts'
import { openTransport } from '../../src/platform/mail/transport.ts'
import { serviceName } from '../../src/sign-in/open-issuer.ts'
import { Fault } from '../errors.ts'
import { print, printJson, printPairs } from '../print.ts'
import { requireEmail } from '../users/email-text.ts'
import { withDatabase } from '../with-database.ts'

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
    .action(sendTest)
}

const example = `
Example:
  muster mail test ada@example.com`

async function showStatus({ json }: { readonly json?: true }): Promise<void> {
  await withDatabase(async ({ database, config }) => {
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

async function sendTest(recipient: string, { language: wanted }: { readonly language?: string }): Promise<void> {
  const config = readConfig(process.env)
  const settings = requireMail(config.mail)
  const address = requireEmail(recipient)
  const language = languages.find((one) => one === (wanted ?? settings.language))
  if (!language) throw new Fault(`--language must be one of: ${languages.join(', ')}.`)
  const texts = { templates: readTemplates(settings.folder), service: serviceName(config.publicUrl) }
  const rendered = renderMail(texts, { kind: 'test', language, to: address, values: {} })
  const transport = await openTransport(settings)
  const fault = await transport.send({ id: randomUUID(), to: address, language, ...rendered })
  transport.close()
  const server = serverOf(settings)
  if (fault) throw new Fault(`${server} did not accept the mail (${fault.code}).`)
  print(`${server} accepted the mail to ${address}.`)
}

function requireMail(settings: MailSettings | undefined): MailSettings {
  if (settings) return settings
  throw new Fault('The service sends no mail. Set MUSTER_SMTP_URL.')
}
