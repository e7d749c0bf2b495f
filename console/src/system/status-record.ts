import type { components } from '@muster/client'

export type SystemStatusRecord = components['schemas']['SystemStatus']
