import type { FaultName } from '../../simulators/cloudflare/faults.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import type { SimulatedToken } from '../../simulators/cloudflare/state.ts'

/**
 * The simulator in a separate process, so that slow and long answers do not block the measured event loop. Before each check it receives
 * the token and its faults; after the check it returns the number of calls.
 */
export type FaultMessage =
  | {
      readonly kind: 'plan'
      readonly id: number
      readonly token: SimulatedToken
      readonly isKnown: boolean
      readonly faults: readonly (FaultName | undefined | null)[]
    }
  | { readonly kind: 'count'; readonly id: number; readonly value: string }

const { state, control, received, url } = await startCloudflareSimulator()
const plans = new Map<string, { readonly faults: readonly (FaultName | undefined | null)[]; calls: number }>()

control.chooseFault = ({ headers }) => {
  received.length = 0
  const plan = plans.get(String(headers.authorization).slice('Bearer '.length))
  return plan?.faults[plan.calls++] ?? undefined
}

process.on('message', (message: FaultMessage) => {
  if (message.kind === 'plan') {
    plans.set(message.token.value, { faults: message.faults, calls: 0 })
    if (message.isKnown) state.tokens.push(message.token)
    process.send?.({ id: message.id })
    return
  }
  const calls = plans.get(message.value)?.calls ?? 0
  plans.delete(message.value)
  const at = state.tokens.findIndex(({ value }) => value === message.value)
  if (at >= 0) state.tokens.splice(at, 1)
  process.send?.({ id: message.id, calls })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url })
