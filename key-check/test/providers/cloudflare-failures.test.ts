import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { samples as S, synthetic } from '../../../simulators/cloudflare/state.ts'
import { type KeyCheck, KeyCheckError } from '../../index.ts'
import { type Harness, startHarness } from '../engine/harness.ts'

type Asked = Pick<KeyCheck, 'email' | 'for' | 'parts'> & { readonly key: string; readonly asKey?: true }

/** Produces each row of docs/checking-keys.md, by its first cell, with Cloudflare's answers from public logs. */
const plays: Readonly<Record<string, (harness: Harness) => Asked | Promise<Asked>>> = {
  'The token may not list zones': ({ simulator }) => {
    const key = synthetic('cfut_', 'NoZoneRead')
    simulator.state.tokens.push({ value: key, status: 'active', permissions: ['accounts', 'user'] })
    return { key }
  },
  'A Global API Key is used as a token': () => ({ key: S.oldGlobalKey }),
  'A token is used as a Global API Key': () => ({ key: S.oldUserToken, asKey: true, email: S.email }),
  'The token was rolled, has expired or was deleted': () => ({ key: S.unknownOldToken }),
  'The same, and Cloudflare still knows that it expired': () => ({ key: S.expired }),
  'The token belongs to an account: other tools call it invalid': () => ({ key: S.accountToken }),
  'The token is for other IP addresses': () => ({ key: S.userFiltered }),
  'Cloudflare answers 10000, “Authentication error”, where a permission is missing': ({ simulator }) => {
    simulator.control.chooseFault = ({ path }) => (path.startsWith('/zones') ? 'transient_10000' : undefined)
    return { key: S.userToken }
  },
  'The token is for another account or zone': ({ simulator }) => {
    const body = '{"success":true,"errors":[],"result":[],"result_info":{"total_count":0}}'
    simulator.control.answer = ({ path }) =>
      path.startsWith('/zones') ? { status: 200, headers: {}, body } : undefined
    return { key: S.userToken }
  },
  'The token may read DNS and not edit it': () => ({ key: S.userToken, for: { ability: 'dns:edit' } }),
  'The ID of a zone or of an account was pasted': () => ({ key: '023e105f4ecef8ad9ca31a8372d0c353' }),
  'Quotes or `Bearer` were pasted along': () => ({ key: `"Bearer ${S.userToken}"` }),
  'The line of a `.env` file was pasted': () => ({ key: `CF_API_TOKEN=${S.userToken}\n` }),
  'A placeholder was pasted': () => ({ key: '<your-token>' }),
  'A line break is inside the token': () => ({ key: S.userToken.replace('AB', 'A\nB') }),
  'The token is in base64, as in a Kubernetes secret': () => ({ key: Buffer.from(S.userToken).toString('base64') }),
  'The token lacks its last character': () => ({ key: S.oldUserToken.slice(0, -1) }),
  'The Global API Key lacks its email address': () => ({ key: S.oldGlobalKey, asKey: true }),
  'The Global API Key belongs to another user': () => ({ key: S.oldGlobalKey, asKey: true, email: S.otherEmail }),
  'Cloudflare answers 10000 to a good token for some seconds': ({ simulator }) => {
    simulator.control.fault = 'transient_10000'
    return { key: S.userToken }
  },
  'Too many requests': ({ simulator }) => {
    simulator.control.fault = 'rate_limit_971'
    return { key: S.userToken }
  },
  'Too many wrong keys: Cloudflare locks the address out': async ({ simulator, outcomeOf }) => {
    simulator.control.lockOutAfter = 1
    await outcomeOf(S.unknownUserToken)
    return { key: S.userToken }
  },
  'A Global API Key is used where a token would do': () => ({ key: S.globalKey, asKey: true, email: S.otherEmail }),
}

const rows = await readRows()

test('every row of the Cloudflare failures in docs/checking-keys.md is played here, and no other', () => {
  expect(rows.map(([failure]) => failure)).toEqual(Object.keys(plays))
})

test.each(rows)('%s: the result matches the page word for word', async (failure, message, code, more) => {
  const harness = await startHarness({ outgoingAddresses: ['203.0.113.7'] })
  const said = await answerTo(harness, (await plays[failure]?.(harness)) ?? { key: '' })
  expect(said).toEqual({ message, code, more })
})

async function answerTo({ keyChecks }: Harness, { key, asKey, ...asked }: Asked) {
  try {
    const result = await keyChecks.check({
      ...asked,
      apiKey: key,
      keyType: asKey ? 'api_key' : 'api_token',
      capabilities: true,
    })
    if (result.outcome === 'undetermined') return { message: result.message, code: result.code, more: '' }
    const { message, details } = result
    return { message, code: details.code, more: [...details.warnings, details.purpose ?? ''].join(' ').trim() }
  } catch (error) {
    if (!(error instanceof KeyCheckError)) throw error
    return { message: error.message, code: error.code, more: '' }
  }
}

/** The cells of the table: failure, message, code, warnings and purpose. */
async function readRows(): Promise<[string, string, string, string][]> {
  const page = await readFile(new URL('../../../docs/checking-keys.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## What goes wrong most often with Cloudflare\n')
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) => {
    const [failure = '', message = '', code = '', more = ''] = line.slice(2).split(' | ')
    return [failure, message, code.replaceAll('`', ''), more.trim()]
  })
}
