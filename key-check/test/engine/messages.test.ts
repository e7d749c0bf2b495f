import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { abilityNames } from '../../api.ts'

import { readProviders } from '../../engine/catalogue.ts'
import { catalogue, hints, notes, warnings } from '../../engine/messages.ts'
import type { Outcome } from '../../engine/provider.ts'
import { invalid, undetermined, valid } from '../../engine/provider.ts'
import { textsFor, type Wording } from '../../engine/result.ts'

test('every message for every provider, with every hint and note, is a sentence of at most 200 characters', async () => {
  const wrong: string[] = []
  for (const { title, keyTypes, shapeOf } of (await readProviders()).values())
    for (const { label, advice } of Object.values(keyTypes))
      for (const outcome of everyOutcome(shapeOf !== undefined))
        for (const more of everyEnding()) {
          const message = messageOf(outcome, { provider: title, label, advice, ...more })
          if (isTooLongOrNoSentence(message)) wrong.push(message)
        }
  expect(wrong).toEqual([])
})

function everyEnding() {
  return everyNotes().flatMap((left) => [true, false].map((isExpiringSoon) => ({ notes: left, isExpiringSoon })))
}

function isTooLongOrNoSentence(message: string): boolean {
  return message.length > 200 || !/^[A-Za-z][^{}]*\.$/.test(message)
}

test('every message says what was found and what to do, and has no empty placeholder', () => {
  for (const outcome of everyOutcome(true)) {
    const message = messageOf(outcome, { provider: 'Provider', label: 'key' })
    expect(message).toMatch(/^[A-Z].* .*; [a-z].+\.$/)
    expect(message).not.toMatch(/undefined|null| {2}| [;,.]/)
  }
  expect(messageOf(undetermined('overloaded'), { provider: 'Provider', label: 'key' })).toBe(
    'Too many Provider checks are running or failing, so the key was not checked; try again shortly.',
  )
})

test('never says “it can be used” beside a warning, or to a key that may not fit its purpose, whatever the length of the names', () => {
  const word = fc.string({ minLength: 1, maxLength: 150 })
  const wording = fc.record(
    {
      provider: word,
      label: word,
      notes: fc.constantFrom(...everyNotes()),
      isExpiringSoon: fc.boolean(),
      advice: fc.option(fc.constant('Advice.'), { nil: undefined }),
      fit: fc.record({ fitsPurpose: fc.constantFrom('yes', 'no', 'unknown'), purpose: word }),
    },
    { requiredKeys: ['provider', 'label'] },
  )
  fc.assert(
    fc.property(wording, (words) => {
      for (const outcome of [valid(), ...everyOutcome(false)]) {
        const { message, warnings: found } = textsFor(outcome, words)
        const isDoubted = found.length > 0 || (words.fit && words.fit.fitsPurpose !== 'yes')
        expect(isDoubted && message.includes('it can be used')).toBeFalsy()
      }
    }),
  )
})

test.each([
  [valid(), 'The P key is genuine; its permissions were not checked.'],
  [valid(undefined, {}, { unknown: 'P does not say.' }), 'The P key is genuine; its permissions were not checked.'],
  [valid(undefined, {}, { abilities: ['dns:read'] }), 'The P key is valid and active; it can be used.'],
  [
    valid(undefined, {}, { lacks: ['zones:list'] }),
    'The P key is genuine, but it cannot list zones; add the permission Zones.Read.',
  ],
  [
    valid('limited_permissions', {}, { lacks: ['zones:list', 'dns:read'] }),
    'The P key is genuine, but it cannot list zones; add the permission Zones.Read.',
  ],
  [
    valid(undefined, {}, { lacks: ['dns:edit'] }),
    'The P key is genuine, but it cannot change DNS records; check its permissions.',
  ],
  [
    valid('service_not_enabled', {}, { missing: ['the Zones API'] }),
    'The P key is genuine, but its account has not enabled the Zones API; enable it and check again.',
  ],
])('says “it can be used” only after an ability was seen: %j', (outcome, message) => {
  expect(messageOf(outcome, { provider: 'P', label: 'key', permissions: { 'zones:list': 'Zones.Read' } })).toBe(message)
})

test('shows a provider’s status only if it is one short lower-case word', () => {
  const shown = (status: string) => messageOf(invalid('not_active', { status }), { provider: 'P', label: 'key' })
  expect(shown('revoked')).toContain('(status: revoked)')
  for (const status of ['', 'Revoked', 'a b', '<b>', 'x'.repeat(17), 'a\nb', '1'])
    expect(shown(status)).toContain('(status: unknown)')
})

test("shows an expiry as a day in UTC, and never the provider's own text", () => {
  const shown = (expiresOn: string) => messageOf(invalid('expired', { expiresOn }), { provider: 'P', label: 'key' })
  expect(shown('2026-05-01T23:30:00-02:00')).toContain('expired on 2026-05-02')
  expect(shown('whenever')).toContain('expired on an unknown day')
})

test('does not expand braces in values', () => {
  expect(messageOf(valid(), { provider: '{label}', label: 'key' })).toContain('The {label} key')
})

test('adds warnings and advice to valid keys only', () => {
  const wording = { provider: 'P', label: 'key', isExpiringSoon: true, advice: 'Advice.' }
  expect(textsFor(invalid('disabled'), wording).warnings).toEqual([])
  expect(textsFor(valid('ip_filtered', { expiresOn: '2026-05-01T00:00:00Z' }), wording).warnings).toEqual([
    warnings.ip_filtered,
    'It expires on 2026-05-01.',
  ])
  expect(textsFor(invalid('disabled'), wording).advice).toBeUndefined()
  expect(textsFor(valid(), wording).advice).toBe('Advice.')
})

function messageOf(outcome: Outcome, wording: Wording): string {
  return textsFor(outcome, wording).message
}

function everyOutcome(hasHints: boolean): Outcome[] {
  const given = hasHints ? Object.keys(hints).filter(isHint) : []
  const facts = {
    expiresOn: '2026-05-01T00:00:00Z',
    notBefore: '2026-05-01T00:00:00Z',
    status: 'x'.repeat(16),
    part: 'x'.repeat(28),
  }
  return Object.keys(catalogue).flatMap((code): Outcome[] => {
    if (!isCode(code)) return []
    if (code === 'valid') return [valid(undefined, facts, { abilities: ['zones:list'] })]
    if (code === 'not_checked') return [valid(undefined, facts)]
    if (code === 'ability_missing') return abilityNames.map((name) => valid(undefined, facts, { lacks: [name] }))
    if (code === 'expired_on') return [invalid('expired', facts)]
    switch (code) {
      case 'limited_permissions':
      case 'ip_filtered':
      case 'state_not_shown':
      case 'account_restricted':
      case 'account_not_entitled':
      case 'service_not_enabled':
      case 'no_zones':
      case 'zones_refused':
      case 'capabilities_unknown':
        return [valid(code, facts)]
      case 'unexpected_answer':
      case 'refused':
      case 'plan_refused':
      case 'address_refused':
      case 'clock_refused':
      case 'unreachable':
      case 'timeout':
      case 'rate_limited':
      case 'key_rate_limited':
      case 'locked_out':
      case 'share_used':
      case 'network_share_used':
      case 'too_many_failures':
      case 'overloaded':
        return [undetermined(code)]
      default:
        return [invalid(code, facts), ...given.map((hint) => invalid(code, { ...facts, hint }))]
    }
  })
}

function everyNotes() {
  return [[], ['scheme'], ['quotes'], ['scheme', 'quotes']].map((names) =>
    names.filter((name): name is keyof typeof notes => Object.hasOwn(notes, name)),
  )
}

function isCode(code: string): code is keyof typeof catalogue {
  return Object.hasOwn(catalogue, code)
}

function isHint(hint: string): hint is keyof typeof hints {
  return Object.hasOwn(hints, hint)
}

test('calls an unnamed part “the secret” and an unnamed provider “another one”', () => {
  const words = { provider: 'P', label: 'key' }
  expect(messageOf(invalid('wrong_part'), words)).toMatch(/^P does not accept the secret of this key; /)
  expect(messageOf(invalid('other_provider', { other: 'Q' }), words)).toMatch(/^This is the secret of Q, not a P key, /)
})

test('shows a missing status as unknown', () => {
  expect(messageOf(invalid('not_active'), { provider: 'P', label: 'key' })).toContain('(status: unknown)')
})

test('tells the user to copy the secret value if the ID of a secret was entered', () => {
  const outcome = invalid('wrong_part', { part: 'value', hint: 'looks_like_secret_id' })
  expect(messageOf(outcome, { provider: 'P', label: 'key' })).toMatch(
    /; it looks like the ID of a secret, so copy the secret value\.$/,
  )
})

test('a hint about the key comes before one about a part of unusual form', () => {
  const words = { provider: 'P', label: 'key', unusualPart: 'ID' }
  const outcome = invalid('wrong_part', { part: 'value', hint: 'looks_like_secret_id' })
  expect(messageOf(outcome, words)).toContain('; it looks like the ID of a secret')
  expect(messageOf(invalid('wrong_parts'), words)).toContain('; the ID does not look like one')
  expect(messageOf(invalid('expired'), words)).not.toContain('ID')
})

test('drops the note about removed characters, not the hint, if the message would be too long', () => {
  const outcome = invalid('wrong_part', { part: 'value', hint: 'looks_like_secret_id' })
  const provider = 'P'.repeat(191 - messageOf(outcome, { provider: '', label: 'key' }).length)
  const message = messageOf(outcome, { provider, label: 'key' })
  expect(message).toHaveLength(191)
  expect(messageOf(outcome, { provider, label: 'key', notes: ['quotes'] })).toBe(message)
})

test('tells when a valid key expires even if the message is longer than the limit', () => {
  const outcome = valid(undefined, { expiresOn: '2026-05-01T00:00:00Z' })
  expect(messageOf(outcome, { provider: 'P'.repeat(200), label: 'key', isExpiringSoon: true })).toMatch(
    /; it expires on 2026-05-01, so renew it\.$/,
  )
})

describe('the next step that a message names', () => {
  const expiresOn = '2026-05-01T00:00:00Z'
  const seen = { abilities: ['dns:read' as const] }
  const usable = valid(undefined, { expiresOn, hint: 'looks_quoted' }, seen)
  const powerful = { ...usable, excess: 'root' as const }
  const rejected = { ...invalid('wrong_part', { expiresOn }), mayBeNew: true as const }
  const filtered = valid('ip_filtered', { expiresOn })
  const missing = valid(undefined, { expiresOn }, { lacks: ['dns:edit'] })
  const fit = (fitsPurpose: 'yes' | 'no' | 'unknown') => ({ fit: { fitsPurpose, purpose: 'It lacks dns:edit.' } })
  const here = { outgoingAddresses: ['203.0.113.7'] }
  const soon = { isExpiringSoon: true }

  // Each row lacks what made the row above name its step.
  test.each([
    ['the purpose, if an expiring key does not fit it', powerful, { ...soon, ...fit('no') }, 'it lacks dns:edit'],
    [
      'the expiry, if the key may fit',
      powerful,
      { ...soon, ...fit('unknown') },
      'it expires on 2026-05-01, so renew it',
    ],
    ['the purpose, if the fit is unknown', powerful, fit('unknown'), 'it lacks dns:edit'],
    ['a safer key', powerful, fit('yes'), 'a key with fewer permissions would be safer'],
    ['the hint', usable, fit('yes'), 'it contains quotes, so enter the value itself'],
    ['the usual step', valid(undefined, {}, seen), fit('yes'), 'it can be used'],
    [
      'a part of unusual form',
      rejected,
      { unusualPart: 'ID' },
      'the ID does not look like one, so check that it is the right value',
    ],
    ['that the key may be new', rejected, {}, 'copy it again, or if you created it in the last minute, try again then'],
    ['the addresses of this server', filtered, { ...here, ...soon }, 'it works here if it allows 203.0.113.7'],
    ['the expiry of a limited key', filtered, soon, 'it expires on 2026-05-01, so renew it'],
    ['the usual step of a limited key', filtered, {}, 'check that it allows the address where you use it'],
    ['the expiry, not the permission', missing, soon, 'it expires on 2026-05-01, so renew it'],
    ['the permissions, if the missing one has no name', missing, {}, 'check its permissions'],
    ['the permission', missing, { permissions: { 'dns:edit': 'DNS.Edit' } }, 'add the permission DNS.Edit'],
  ] as const)('is %s', (_, outcome, wording, step) => {
    expect(messageOf(outcome, { provider: 'P', label: 'key', ...wording })).toMatch(new RegExp(`; ${step}\\.$`))
  })

  test('is the step without the hint if the message would be too long', () => {
    const words = { provider: 'P'.repeat(120), label: 'key' }
    expect(messageOf(rejected, { ...words, unusualPart: 'ID' })).toMatch(/; copy it again, or if you created it /)
    expect(messageOf(filtered, { ...words, ...here })).toMatch(/; check that it allows the address where you use it\.$/)
  })

  test('is a short sentence about the purpose if the whole one does not fit', () => {
    const message = messageOf(usable, { provider: 'P'.repeat(150), label: 'key', ...fit('no') })
    expect(message).toMatch(/; it lacks dns:edit\.$/)
    const long = { fit: { fitsPurpose: 'no' as const, purpose: `It lacks ${'x'.repeat(60)}.` } }
    expect(messageOf(usable, { provider: 'P'.repeat(110), label: 'key', ...long })).toMatch(
      /; it does not fit its purpose\.$/,
    )
  })
})
