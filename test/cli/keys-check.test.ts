import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faultToken } from '../../simulators/cloudflare/faults.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { runMuster } from './run-muster.ts'

let simulator: CloudflareSimulator
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
})
beforeEach(() => simulator.reset())
afterAll(() => simulator.close())

function check(options: string, input: string, env: Record<string, string> = {}) {
  const args = ['keys', 'check', ...options.split(' ').filter((option) => option !== '')]
  return runMuster(args, { input, env: { MUSTER_CLOUDFLARE_URL: simulator.url, ...env } })
}

describe('muster keys check exits with', () => {
  test('0 for a valid token from standard input with a trailing line break', async () => {
    const ended = await check('--key-type api_token', `${samples.userToken}\n`)
    expect(ended).toEqual({
      code: 0,
      stdout: 'valid  The Cloudflare API token is genuine; its permissions were not checked.\n',
      stderr: '',
    })
  })

  test('0 for a valid key with its email', async () => {
    const ended = await check(`-t api_key -e ${samples.email}`, samples.oldGlobalKey)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('0 and a line about the purpose, and 2 for a malformed zone or unknown ability', async () => {
    const ended = await check('-t api_token --for-zone example.net --for-ability dns:edit', samples.userToken)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout.split('\n')[1]).toMatch(/^fits its purpose: no {2}It cannot see example\.net/)
    for (const option of ['--for-zone a..b', '--for-ability dns:write']) {
      const refused = await check(`-t api_token ${option}`, samples.userToken)
      expect({ code: refused.code, isNamed: refused.stderr.includes(option.split(' ')[0] ?? '') }).toEqual({
        code: 2,
        isNamed: true,
      })
    }
  })

  test('1 for an invalid token', async () => {
    const { code, stdout, stderr } = await check('-t api_token', samples.disabled)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^invalid {2}This Cloudflare API token is disabled/)
  })

  test('2 if the response of the provider proves nothing', async () => {
    const { code, stdout, stderr } = await check('-t api_token', faultToken('html_502'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Cloudflare sent a response that says nothing about the API token; .*\n$/)
  })

  test('2 if the provider is down', async () => {
    const env = { MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1' }
    const { code, stdout, stderr } = await check('-t api_token', samples.userToken, env)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^The call to 127\.0\.0\.1:1 failed \(connect: ECONNREFUSED\)\.\nCloudflare could not be reached, .*\n$/,
    )
  })
})

describe('muster keys check exits with 2, never with 1, for wrong options or settings', () => {
  test.each([
    ['', samples.userToken, /^Cloudflare has several types of keys\. Add --key-type api_token or api_key\.\n$/],
    ['-t api_tokken', samples.userToken, /^error: option .* is invalid\. Allowed choices are api_token, api_key\.\n$/],
    ['-t api_key', samples.oldGlobalKey, /^Cloudflare needs the account's email address\.\n$/],
    ['-p imperva', samples.userToken, /^Imperva does not document its responses .*\n$/],
    ['-t api_token', '', /^Standard input is empty\. .*\n$/],
    [`-t api_token ${samples.userToken}`, '', /^error: too many arguments for 'check'\. .*\n$/],
  ])('%s', async (options, input, sentence) => {
    const { code, stdout, stderr } = await check(options, input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(simulator.received).toEqual([])
  })

  test('a wrong setting', async () => {
    const ended = await check('-t api_token', samples.userToken, { MUSTER_PORT: 'many' })
    expect(ended).toEqual({ code: 2, stdout: '', stderr: 'MUSTER_PORT must be a whole number from 0 to 65535.\n' })
  })
})

describe('muster keys check --json', () => {
  test('prints the response of the service, with details if requested', async () => {
    const plain = await check('-t api_token --json', samples.userToken)
    expect(JSON.parse(plain.stdout)).toEqual({ isValid: true, message: expect.any(String) })
    const detailed = await check('-t api_token --json --details', samples.userToken)
    expect(JSON.parse(detailed.stdout).details).toMatchObject({ provider: 'cloudflare', code: 'valid', cached: false })
  })

  test('prints the problem that the service would return', async () => {
    const { code, stdout } = await check('-t api_token --json', faultToken('html_502'))
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ status: 502, code: 'provider_answer_unexpected' })
  })
})

test.each([samples.unknownUserToken, faultToken('reset_before_headers'), 'ключ'])(
  'muster keys check never prints the key: %s',
  async (key) => {
    const { stdout, stderr } = await check('-t api_token --details --json', key)
    expect(stdout).not.toBe('')
    expect(stdout + stderr).not.toContain(key)
  },
)
