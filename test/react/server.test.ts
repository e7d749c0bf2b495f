import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { UserData } from '@muster/react'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, expect, test } from 'vitest'
import { createMuster } from '../../client/src/index.ts'
import { browserBundle } from '../support/browser-bundle.ts'

// Node does not load JSX. The bundle is in the repository, where it finds React.
const folder = await mkdtemp(fileURLToPath(new URL('../../node_modules/.cache/react-', import.meta.url)))
afterAll(() => rm(folder, { recursive: true }))
const source = fileURLToPath(new URL('../../react/src/index.tsx', import.meta.url))
await writeFile(join(folder, 'index.mjs'), await browserBundle(source, [/^react/, '@muster/client']))
const built: typeof import('@muster/react') = await import(pathToFileURL(join(folder, 'index.mjs')).href)
const { hasPermission, MusterProvider, RequirePermission, useUser } = built

const muster = createMuster({
  baseUrl: 'http://localhost:4600',
  fetch: () => {
    throw new Error('a server asks for nothing')
  },
})
const user: UserData = { permissions: { users: ['read'] }, isFirstLogin: false, mfaFactors: [] }

function Status() {
  return createElement('i', null, useUser().status)
}

function rendered(children: ReactNode, initialUser?: UserData): string {
  return renderToString(createElement(MusterProvider, { client: muster, initialUser }, children))
}

function required(resource: string, action: string): ReactNode {
  return createElement(RequirePermission, { resource, action, fallback: 'no', pending: 'wait' }, 'yes')
}

test('on a server nothing is asked for: the user is loading, or the one that was given', () => {
  expect(rendered(createElement(Status))).toBe('<i>loading</i>')
  expect(rendered(createElement(Status), user)).toBe('<i>ready</i>')
})

test('children of a permission are shown to users who have it, and to no others', () => {
  expect(rendered(required('users', 'read'))).toBe('wait')
  expect(rendered(required('users', 'read'), user)).toBe('yes')
  expect(rendered(required('users', 'write'), user)).toBe('no')
  expect(rendered(required('audit', 'read'), user)).toBe('no')
})

test.each(['constructor', 'toString', '__proto__'])('%s is no permission', (name) => {
  expect(hasPermission(user, name, 'name')).toBe(false)
  expect(hasPermission(user, 'users', name)).toBe(false)
})

test('a component without a provider around it says so', () => {
  expect(() => renderToString(createElement(Status))).toThrow('There is no MusterProvider around this component.')
})
