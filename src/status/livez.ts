import { type Operation, operation } from '../identity/operation.ts'
import { livezContract } from './health-contract.ts'

export function livez(): Operation<typeof livezContract> {
  return operation(livezContract, () => ({ status: 'ok' as const }))
}
