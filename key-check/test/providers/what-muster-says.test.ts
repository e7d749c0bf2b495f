import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { samples, synthetic } from '../../../simulators/cloudflare/state.ts'
import type { KeyCheck, Result } from '../../index.ts'
import { credentialFor } from '../../simulator/recording.ts'
import { simulatorForTest, startHarness, startMs } from '../engine/harness.ts'
import { open, providers } from './recorded-check.ts'

/** The keys that the table describes. */
const states = [
  'good',
  'without DNS permissions',
  'read only',
  'for one zone',
  'wrong',
  'expired',
  'from another address',
  'disabled',
  'of another account',
  'with a wrong clock here',
] as const

type State = (typeof states)[number]

/** Where this server calls from. */
const outgoingAddresses = ['203.0.113.7']

/** A recorded answer, by its name. `zone`: the request names the zone of the recording; `edit`: it names the ability dns:edit. */
interface Play {
  readonly answer: string
  readonly zone?: true
  readonly edit?: true
  /** The provider rejects the time once. Its `Date` header then corrects the clock. */
  readonly lateBySeconds?: number
}

type Plays = Readonly<Partial<Record<State, Play>>>

/** A state that is missing does not exist at the provider, or looks like a wrong key. */
const recorded: Readonly<Record<string, Plays>> = {
  route53: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'denied' },
    'read only': { answer: 'zone-with-records', zone: true, edit: true },
    'for one zone': { answer: 'zone-with-records', zone: true },
    wrong: { answer: 'wrong-secret' },
    expired: { answer: 'expired' },
    'from another address': { answer: 'denied' },
    disabled: { answer: 'unknown-id' },
    'of another account': { answer: 'another-zone', zone: true },
    'with a wrong clock here': { answer: 'valid', lateBySeconds: 1_200 },
  },
  googlecloud: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'no-right' },
    'read only': { answer: 'reader', edit: true },
    'for one zone': { answer: 'role-on-zone-only', zone: true },
    wrong: { answer: 'deleted' },
    disabled: { answer: 'unknown-account' },
    'of another account': { answer: 'other-project', zone: true },
    'with a wrong clock here': { answer: 'valid', lateBySeconds: 1_200 },
  },
  azure: {
    good: { answer: 'contributor', zone: true, edit: true },
    'without DNS permissions': { answer: 'no-role' },
    'read only': { answer: 'valid', zone: true, edit: true },
    'for one zone': { answer: 'valid' },
    wrong: { answer: 'wrong-secret' },
    expired: { answer: 'expired' },
    'from another address': { answer: 'policy' },
    disabled: { answer: 'unknown-client' },
    'of another account': { answer: 'not-found', zone: true },
  },
  digitalocean: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'limited' },
    'read only': { answer: 'zone', zone: true, edit: true },
    wrong: { answer: 'invalid' },
    'of another account': { answer: 'no-zone', zone: true },
  },
  hetzner: {
    good: { answer: 'zones' },
    'without DNS permissions': { answer: 'limited' },
    'read only': { answer: 'zone', zone: true, edit: true },
    wrong: { answer: 'invalid' },
    'of another account': { answer: 'no-zone', zone: true },
  },
  godaddy: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'not-entitled' },
    wrong: { answer: 'wrong' },
    'of another account': { answer: 'not-found', zone: true },
  },
  porkbun: {
    good: { answer: 'domains' },
    'without DNS permissions': { answer: 'no-api-access', zone: true },
    'for one zone': { answer: 'other-domains-only', zone: true },
    wrong: { answer: 'wrong' },
    'from another address': { answer: 'other-address' },
    disabled: { answer: 'wrong-or-other-address' },
    'of another account': { answer: 'no-zone', zone: true },
  },
  namecheap: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'shared-without-dns', zone: true },
    wrong: { answer: 'wrong' },
    'from another address': { answer: 'address' },
    disabled: { answer: 'user-locked' },
    'of another account': { answer: 'no-zone', zone: true },
  },
  ovh: {
    good: { answer: 'valid' },
    'without DNS permissions': { answer: 'limited' },
    'read only': { answer: 'other-zone', zone: true, edit: true },
    'for one zone': { answer: 'one-zone', zone: true, edit: true },
    wrong: { answer: 'wrong-secret' },
    expired: { answer: 'expired' },
    'from another address': { answer: 'forbidden' },
    disabled: { answer: 'not-valid' },
    'of another account': { answer: 'no-zone', zone: true },
    'with a wrong clock here': { answer: 'valid', lateBySeconds: 1_200 },
  },
}

const noPermission = synthetic('cfut_', 'NoZoneRead')

/** Cloudflare has its own simulator. */
const cloudflare: Readonly<Partial<Record<State, Pick<KeyCheck, 'apiKey' | 'for'>>>> = {
  good: { apiKey: samples.userToken },
  'without DNS permissions': { apiKey: noPermission },
  'read only': { apiKey: samples.userToken, for: { ability: 'dns:edit' } },
  'for one zone': { apiKey: samples.userToken, for: { zone: 'example.com' } },
  wrong: { apiKey: samples.unknownUserToken },
  expired: { apiKey: samples.expired },
  'from another address': { apiKey: samples.userFiltered },
  disabled: { apiKey: samples.disabled },
  'of another account': { apiKey: samples.userToken, for: { zone: 'example.net' } },
}

test('docs/checking-keys.md has every message, word for word', async () => {
  const said: [string, State, Result][] = []
  for (const state of states) {
    const asked = cloudflare[state]
    if (asked) said.push(['cloudflare', state, await askCloudflare(asked)])
  }
  for (const [id, plays] of Object.entries(recorded))
    for (const state of states) {
      const play = plays[state]
      if (play) said.push([id, state, await askRecorded(id, play)])
    }
  const page = await readFile(new URL('../../../docs/checking-keys.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## What Muster says\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  expect(rows.slice(1).join('\n')).toBe(tableOf(said).join('\n'))
})

/** One row for the keys of a provider that get the same message. */
function tableOf(said: readonly [string, State, Result][]): string[] {
  const rows = new Map<string, { start: string; keys: State[]; end: string }>()
  for (const [id, state, result] of said) {
    const code = result.outcome === 'undetermined' ? result.code : result.details.code
    const end = `${result.message} | \`${code}\` |`
    const row = rows.get(id + end) ?? { start: `| ${providers.get(id)?.title} |`, keys: [], end }
    row.keys.push(state)
    rows.set(id + end, row)
  }
  return [...rows.values()].map(({ start, keys, end }) => `${start} ${keys.join(', ')} | ${end}`)
}

async function askCloudflare(asked: Pick<KeyCheck, 'apiKey' | 'for'>): Promise<Result> {
  const { simulator, keyChecks } = await startHarness({ outgoingAddresses })
  simulator.state.tokens.push({ value: noPermission, status: 'active', permissions: ['accounts', 'user'] })
  return keyChecks.check({ ...asked, keyType: 'api_token', capabilities: true })
}

async function askRecorded(id: string, play: Play): Promise<Result> {
  const { answer: name, zone, edit, lateBySeconds } = play
  const simulator = await simulatorForTest()
  const ofProvider = simulator.recordings.filter((recording) => recording.id === id)
  const recording = ofProvider.find(
    ({ asks, answers }) =>
      (asks?.zone !== undefined) === (zone ?? false) &&
      answers.some((answer) => answer.name === name && !answer.isFollowed),
  )
  const answer = recording?.answers.find((one) => one.name === name)
  if (!recording || !answer) throw new Error(`${id} has no recorded answer ${name}`)
  if (lateBySeconds !== undefined) {
    const clock = ofProvider.flatMap(({ answers }) => answers).find((one) => one.name === 'clock')
    const date = new Date(startMs + lateBySeconds * 1_000).toUTCString()
    let calls = 0
    simulator.fault = () => {
      calls += 1
      return clock && calls === 1 ? { ...clock, headers: { ...clock.headers, date } } : undefined
    }
  }
  const keyChecks = await open(simulator, { outgoingAddresses })
  const { apiKey, parts } = credentialFor(recording, answer)
  const purpose = {
    ...(zone && { zone: recording.asks?.zone ?? '' }),
    ...(edit && { ability: 'dns:edit' as const }),
  }
  return keyChecks.check({
    provider: id,
    keyType: recording.keyType,
    apiKey,
    parts,
    capabilities: true,
    ...((zone || edit) && { for: purpose }),
  })
}
