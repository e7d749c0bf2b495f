import { createMuster } from '@muster/client'
import { createSession } from './session.ts'

export const session = createSession()

/** The service that this page came from. */
export const muster = createMuster({ baseUrl: location.origin, source: session.source })
