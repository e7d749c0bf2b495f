import type { Logger } from 'pino'
import { createSender, type SenderParts } from '../platform/mail/sender.ts'
import type { MailSettings } from '../platform/mail/settings.ts'
import { readTemplates } from '../platform/mail/templates.ts'
import { openTransport } from '../platform/mail/transport.ts'
import { startWorkLoop } from '../platform/work-loop.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { mailRecoveryLinks } from './links/recovery-requests.ts'
import { mailSignUpLinks } from './links/sign-up-requests.ts'

export interface MailWork {
  /** Handles queued requests and sends due mails. */
  run(signal?: AbortSignal): Promise<void>
  close(): void
}

/** Throws `StartError` for an invalid template. */
export async function openMailWork(
  issuer: BuiltInIssuer,
  settings: MailSettings,
  instruments: Pick<SenderParts, 'log' | 'traceJob'>,
): Promise<MailWork> {
  const transport = await openTransport(settings)
  const parts: SenderParts = {
    rows: issuer.database,
    sealing: issuer.encryption,
    settings,
    templates: readTemplates(settings.folder),
    transport,
    service: serviceName(issuer.settings.issuer),
    ...instruments,
  }
  const sender = createSender(parts)
  return {
    async run(signal) {
      await mailRecoveryLinks(issuer)
      await mailSignUpLinks(issuer)
      await sender.sendDue(signal)
    },
    close: transport.close,
  }
}

/** The name of the service in mails. */
export function serviceName(publicUrl: string): string {
  return new URL(publicUrl).host
}

export function startMailLoop(work: MailWork, log: Pick<Logger, 'warn'>): { stop(): Promise<void> } {
  return startWorkLoop(work, (error) => log.warn({ err: error }, 'could not send mails'))
}
