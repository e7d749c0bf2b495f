import type { Rows } from '../../src/platform/database/database.ts'
import { readMailStatus } from '../../src/platform/mail/mail-status.ts'
import { type MailSettings, serverOf } from '../../src/platform/mail/settings.ts'
import { readTemplates } from '../../src/platform/mail/templates.ts'
import { openTransport } from '../../src/platform/mail/transport.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, warn, fail } = resultsOf('mail')

/** The templates are usable; the mail server is reachable and accepts the sign-in. Sends nothing. */
export async function checkMailServer(settings: MailSettings): Promise<CheckResult> {
  try {
    readTemplates(settings.folder)
  } catch (error) {
    if (error instanceof StartError) return fail(error.message)
    throw error
  }
  const transport = await openTransport(settings)
  const fault = await transport.check()
  transport.close()
  const server = serverOf(settings)
  if (!fault) return ok(`${server} accepts mail: muster mail test <address> sends one.`)
  return fail(`${server} does not accept mail (${fault.code}): check MUSTER_SMTP_URL, MUSTER_SMTP_TLS and the network.`)
}

export async function* checkOutbox(rows: Rows): AsyncGenerator<CheckResult, void, void> {
  const { givenUp, oldestSeconds } = await readMailStatus(rows)
  const mails = givenUp.reduce((sum, one) => sum + one.mails, 0)
  if (mails > 0) yield warn(`${mails} mails were given up in the last seven days: muster mail status.`)
  if (oldestSeconds > 300)
    yield warn(`A mail has waited for ${Math.round(oldestSeconds / 60)} minutes: muster mail status.`)
}
