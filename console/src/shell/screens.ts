import type { words } from '../texts.ts'
import { useMay } from '../ui/permitted.tsx'
import type { shellTexts } from './texts.ts'

/** The screens of the navigation: the key after `g` that opens each, and the permission without which it is not offered. */
interface Screen {
  readonly to: '/users' | '/organizations' | '/keys' | '/billing' | '/audit' | '/webhooks' | '/system' | '/me'
  readonly name: keyof typeof shellTexts | keyof typeof words
  readonly key: string
  readonly needs?: readonly [resource: string, action: string]
}

export const screens: readonly Screen[] = [
  { to: '/users', name: 'users', key: 'p', needs: ['users', 'list'] },
  { to: '/organizations', name: 'organizations', key: 'o' },
  { to: '/keys', name: 'keys', key: 'k', needs: ['provider_keys', 'validate'] },
  { to: '/billing', name: 'billing', key: 'b', needs: ['subscriptions', 'read'] },
  { to: '/audit', name: 'audit', key: 'a', needs: ['audit', 'read'] },
  { to: '/webhooks', name: 'webhooks', key: 'w', needs: ['webhooks', 'manage'] },
  { to: '/system', name: 'system', key: 's' },
  { to: '/me', name: 'me', key: 'm' },
]

/** Those that the user may open. */
export function useOpenScreens(): readonly Screen[] {
  const may = useMay()
  return screens.filter(({ needs }) => needs === undefined || may(...needs))
}
