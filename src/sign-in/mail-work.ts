import type { Logger } from 'pino'
import { createSender, type SenderParts } from '../platform/mail/sender.ts'
import type { MailSettings } from '../platform/mail/settings.ts'
import { readTemplates } from '../platform/mail/templates.ts'
import { openTransport } from '../platform/mail/transport.ts'
import { handleSignUpRequests } from './addresses/sign-up-requests.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { handleRecoveryRequests } from './recovery/recovery-requests.ts'

export interface MailWork {
  /** Handles what was asked for, and sends what is due. */
  run(signal?: AbortSignal): Promise<void>
  close(): void
}

/** Throws `StartError` for a template that is not usable. */
export async function openMailWork(
  issuer: BuiltInIssuer,
  settings: MailSettings,
  surroundings: Pick<SenderParts, 'log' | 'traceJob'>,
): Promise<MailWork> {
  const transport = await openTransport(settings)
  const parts: SenderParts = {
    rows: issuer.database,
    sealing: issuer.encryption,
    settings,
    templates: readTemplates(settings.folder),
    transport,
    service: serviceName(issuer.settings.issuer),
    ...surroundings,
  }
  const sender = createSender(parts)
  return {
    async run(signal) {
      await handleRecoveryRequests(issuer)
      await handleSignUpRequests(issuer)
      await sender.sendDue(signal)
    },
    close: transport.close,
  }
}

/** How mails name the service. */
export function serviceName(publicUrl: string): string {
  return new URL(publicUrl).host
}

const pauseMs = 1_000
/** Longer than a mail server usually takes; what it has not taken by then is sent by another node, or after the next start. */
const stopBudgetMs = 5_000

/** One run after the other, with a pause between them. */
export function startMailLoop(work: MailWork, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    await work.run(stopping.signal).catch((error: unknown) => log.warn({ err: error }, 'mails could not be sent'))
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = run()
    }, pauseMs)
  }

  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      let timeout: NodeJS.Timeout | undefined
      const tooLate = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, stopBudgetMs)
      })
      await Promise.race([running, tooLate])
      clearTimeout(timeout)
      work.close()
    },
  }
}
