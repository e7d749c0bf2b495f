import { type Operation, operation } from '../identity/operation.ts'
import { type SystemStatus, systemContract } from './system-contract.ts'

/** `read` calls only the database: a request must not wait for an issuer or a mail server. */
export function system(read: () => Promise<SystemStatus>): Operation<typeof systemContract> {
  return operation(systemContract, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return read()
  })
}
