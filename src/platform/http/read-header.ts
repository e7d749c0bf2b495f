import Type from 'typebox'

/** Where a list was read, in the words of structured fields (RFC 9651). */
export const readHeader = 'muster-read'

export const readHeaderContract = {
  description:
    'Only where a replica is configured (`MUSTER_REPLICA_URL`): `primary`, or `replica;lag=0.3`, where every change is shown that was confirmed so many seconds before the list was read, or earlier.',
  schema: Type.String(),
} as const

export function replicaRead(lagSeconds: number): string {
  return `replica;lag=${(Math.ceil(lagSeconds * 10) / 10).toFixed(1)}`
}
