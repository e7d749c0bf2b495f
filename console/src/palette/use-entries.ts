import { unwrap } from '@muster/client'
import { hasPermission, useUser } from '@muster/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isMeant, type Provider } from '../key-check/credential.ts'
import { muster, session } from '../session/muster.ts'
import { screens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { chooseLanguage, useLanguage, useTexts } from '../texts.ts'
import { chooseDensity, otherDensity, useDensity } from '../ui/density.ts'
import { say } from '../ui/toast.tsx'
import { usersPage } from '../users/calls.ts'
import { paletteTexts } from './texts.ts'

export interface Entry {
  readonly id: string
  readonly title: string
  readonly keys?: string
  readonly run: () => void
}

export interface EntryGroup {
  readonly kind: 'person' | 'provider' | 'screen' | 'action'
  readonly items: readonly Entry[]
}

/** What fits the typed text, and may be opened by the user. Screens and actions alone while nothing is typed. */
export function useEntries(typed: string, onHelp: () => void) {
  const text = typed.trim()
  const navigate = useNavigate()
  const people = useFoundUsers(text)
  const providers = useProviders(text)
  const local = [
    { kind: 'screen', items: useScreens() },
    { kind: 'action', items: useActions(onHelp) },
  ] as const
  const groups: readonly EntryGroup[] = [
    ...local.slice(0, 1).map((group) => fitting(group, text)),
    {
      kind: 'person',
      items: people.users.map(({ id, email = id }) => ({
        id,
        title: email,
        run: () => void navigate({ to: '/people/$userId', params: { userId: id } }),
      })),
    },
    {
      kind: 'provider',
      items: providers.map(({ id, title }) => ({
        id,
        title,
        run: () => void navigate({ to: '/keys', search: { provider: id } }),
      })),
    },
    ...local.slice(1).map((group) => fitting(group, text)),
  ]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    error: people.error,
    isAsking: people.isAsking,
  }
}

function fitting<Group extends EntryGroup>(group: Group, text: string): EntryGroup {
  const wanted = text.toLowerCase()
  return { ...group, items: group.items.filter(({ title }) => title.toLowerCase().includes(wanted)) }
}

const usersMax = 6
const delayMs = 60

/** The service looks for them: a list that was loaded before would know some of the people only. */
function useFoundUsers(text: string) {
  const mayList = useMay()('users', 'list')
  // What the contract takes as a part of an address.
  const isAddress = mayList && /^[!-~]{2,254}$/.test(text)
  const q = useSettled(isAddress ? text : '')
  const page = useQuery({
    ...usersPage({ q }, usersMax),
    enabled: isAddress && q !== '',
    placeholderData: keepPreviousData,
  })
  if (!isAddress) return { users: [], error: undefined, isAsking: false }
  const users = page.data?.users.filter(({ email }) => email?.includes(text.toLowerCase())) ?? []
  return { users, error: page.error ?? undefined, isAsking: page.isFetching || q !== text }
}

/** A text that stays for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const providersMax = 5

function useProviders(text: string): readonly Provider[] {
  const mayCheck = useMay()('provider_keys', 'validate')
  const { data } = useQuery({
    queryKey: ['providers'],
    queryFn: () => unwrap(muster.GET('/api/v1/providers')),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: mayCheck,
  })
  if (!mayCheck || text === '') return []
  return data?.providers.filter((provider) => isMeant(provider, text)).slice(0, providersMax) ?? []
}

function useScreens(): readonly Entry[] {
  const shell = useTexts(shellTexts)
  const navigate = useNavigate()
  const may = useMay()
  return screens
    .filter(({ needs }) => needs === undefined || may(...needs))
    .map(({ to, name, key }) => ({ id: to, title: shell(name), keys: `g ${key}`, run: () => void navigate({ to }) }))
}

function useActions(onHelp: () => void): readonly Entry[] {
  const t = useTexts(paletteTexts)
  const shell = useTexts(shellTexts)
  const density = otherDensity(useDensity())
  const language = useLanguage() === 'en' ? 'de' : 'en'
  return [
    { id: 'density', title: t(density), run: () => chooseDensity(density) },
    { id: 'language', title: t('language'), run: () => chooseLanguage(language) },
    { id: 'help', title: t('help'), keys: '?', run: onHelp },
    { id: 'reference', title: t('reference'), run: () => void open('/docs', '_blank', 'noreferrer') },
    {
      id: 'signOut',
      title: t('signOut'),
      run: () => void session.signOut().catch(() => say(shell('signOutRefused'))),
    },
  ]
}

function useMay(): (resource: string, action: string) => boolean {
  const current = useUser()
  return (resource, action) => current.status === 'ready' && hasPermission(current.user, resource, action)
}
