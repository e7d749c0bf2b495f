import { useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { Endpoint, NewEndpoint } from './calls.ts'
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

/** How sentences name a new endpoint. The rest of its address may be a secret of the receiver. */
export function hostOf({ url }: Pick<NewEndpoint, 'url'>): string {
  return URL.canParse(url) ? new URL(url).host : url
}
