import { randomUUID } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { languages } from '../../src/platform/mail/kinds.ts'
import { renderMail } from '../../src/platform/mail/sender.ts'
import { serverOf } from '../../src/platform/mail/settings.ts'
import { readTemplates } from '../../src/platform/mail/templates.ts'
import { openTransport } from '../../src/platform/mail/transport.ts'
import { serviceName } from '../../src/sign-in/open-issuer.ts'
import { Fault } from '../errors.ts'
import { print } from '../print.ts'
import { requireEmail } from '../users/names.ts'

/** `muster mail test`. */
export async function sendTest(recipient: string, { language: wanted }: { readonly language?: string }): Promise<void> {
  const config = readConfig(process.env)
  const settings = config.mail
  if (!settings) throw new Fault('The service sends no mail. Set MUSTER_SMTP_URL.')
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
