import { randomUUID } from 'node:crypto'
import { readConfig } from '../src/config.ts'
import { emailPattern } from '../src/platform/http/formats.ts'
import { languages } from '../src/platform/mail/kinds.ts'
import { type FaultyMails, readMailStatus } from '../src/platform/mail/mail-status.ts'
import { renderMail } from '../src/platform/mail/sender.ts'
import { type MailSettings, serverOf } from '../src/platform/mail/settings.ts'
import { readTemplates } from '../src/platform/mail/templates.ts'
import { openTransport } from '../src/platform/mail/transport.ts'
import { serviceName } from '../src/sign-in/mail-work.ts'
import { Fault } from './fault.ts'
import { print, printJson, printPairs } from './print.ts'
import { withDatabase } from './with-database.ts'

export interface TestOptions {
  readonly language?: string
}

/** The work of `muster mail status`. */
export async function runMailStatus({ json }: { readonly json?: true }): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    const status = await readMailStatus(database)
    const server = config.mail ? serverOf(config.mail) : null
    if (json) return printJson({ server, ...status })
    const { waiting, oldestSeconds, sent, retried, givenUp } = status
    printPairs([
      ['server', server ?? 'none: MUSTER_SMTP_URL is not set'],
      ['waiting', waiting === 0 ? '0' : `${waiting}, the oldest for ${oldestSeconds} s`],
      ...retried.map(pairOf),
      ['sent in 24 hours', String(sent)],
      ['given up in 7 days', String(givenUp.reduce((sum, { mails }) => sum + mails, 0))],
      ...givenUp.map(pairOf),
    ])
  })
}

function pairOf({ kind, fault, mails }: FaultyMails): readonly [string, string] {
  return [`  ${kind}`, `${mails}, ${fault}`]
}

/** The work of `muster mail test`. It needs no database. */
export async function runMailTest(address: string, { language: wanted }: TestOptions): Promise<void> {
  const config = readConfig(process.env)
  const settings = requireMail(config.mail)
  if (!emailPattern.test(address)) throw new Fault(`${JSON.stringify(address)} is not an e-mail address.`)
  const language = languages.find((one) => one === (wanted ?? settings.language))
  if (!language) throw new Fault(`--language must be one of: ${languages.join(', ')}.`)
  const texts = { templates: readTemplates(settings.folder), service: serviceName(config.publicUrl) }
  const rendered = renderMail(texts, { kind: 'test', language, to: address, values: {} })
  const transport = await openTransport(settings)
  const fault = await transport.send({ id: randomUUID(), to: address, language, ...rendered })
  transport.close()
  const server = serverOf(settings)
  if (fault) throw new Fault(`${server} did not take the mail: ${fault.code}.`)
  print(`${server} has taken the mail to ${address}.`)
}

function requireMail(settings: MailSettings | undefined): MailSettings {
  if (settings) return settings
  throw new Fault('MUSTER_SMTP_URL is not set: the service sends no mail.')
}
