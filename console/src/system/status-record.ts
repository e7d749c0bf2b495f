import type { Schemas } from '@muster/client'

export type SystemStatusRecord = Schemas['SystemStatus']
