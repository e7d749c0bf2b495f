import { livezContract } from '../contract/health.ts'
import { type Operation, operation } from '../server/operation.ts'

export function livez(): Operation {
  return operation(livezContract, async () => ({ status: 'ok' }))
}
