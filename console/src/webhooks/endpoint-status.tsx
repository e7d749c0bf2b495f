import { useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { Endpoint } from './calls.ts'
import { webhookTexts } from './texts.ts'

const tones: Readonly<Record<Endpoint['status'], Tone>> = { enabled: 'good', failing: 'warning', disabled: 'neutral' }

const reasons = { administrator: 'administrator', gone: 'gone', failing: 'failingThreeDays' } as const

/** Whether it gets events; if not, since when and why. */
export function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(webhookTexts)
  const { status, failingSince, disabledAt, disabledBecause } = endpoint
  const since = disabledAt ?? failingSince
  return (
    <>
      <Mark tone={tones[status]}>{t(status)}</Mark>
      {since !== undefined && (
        <>
          {' '}
          {t('since')} <Moment at={since} />
        </>
      )}
      {disabledBecause !== undefined && `, ${t(reasons[disabledBecause])}`}
    </>
  )
}

/** What an endpoint is called in sentences. The rest of an address may be a secret of the receiver. */
export function hostOf({ url }: Pick<Endpoint, 'url'>): string {
  return URL.canParse(url) ? new URL(url).host : url
}
