import type { Proxies } from '../../src/platform/outgoing/proxies.ts'

export const noProxies: Proxies = { http: undefined, https: undefined, isExempt: () => false }
