import { unwrap } from '@muster/client'
import { muster } from '../session/muster.ts'

export const ownOrganizations = {
  queryKey: ['organizations'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => unwrap(muster.GET('/api/v1/orgs', { signal })),
}
