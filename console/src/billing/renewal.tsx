import { defineTexts, useTexts } from '../texts.ts'
import { Moment } from '../ui/facts.tsx'

const renewalTexts = defineTexts({ renews: ['renews', 'verlängert sich'], ends: ['ends', 'endet'] })

interface RenewalProps {
  readonly of:
    | { readonly status: string; readonly currentPeriodEnd?: string; readonly cancelAtPeriodEnd?: boolean }
    | undefined
}

/** When a subscription in force renews or ends, behind its status. Empty if it is over, or if the processor does not report it. */
export function Renewal({ of }: RenewalProps) {
  const t = useTexts(renewalTexts)
  if (!of?.currentPeriodEnd || !['active', 'trialing', 'past_due'].includes(of.status)) return null
  return (
    <>
      {' · '}
      {t(of.cancelAtPeriodEnd ? 'ends' : 'renews')} <Moment at={of.currentPeriodEnd} />
    </>
  )
}
