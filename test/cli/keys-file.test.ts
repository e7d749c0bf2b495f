import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readKeyRows } from '../../cli/keys/key-rows.ts'
import { faultToken } from '../../simulators/cloudflare/faults.ts'
import { json } from '../../simulators/cloudflare/routes.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples as S, synthetic } from '../../simulators/cloudflare/state.ts'
import { program, runMuster } from './run-muster.ts'

let simulator: CloudflareSimulator
let folder: string
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
})
beforeEach(async () => {
  simulator.reset()
  Object.assign(simulator.control, { answer: undefined, hold: undefined, lockOutAfter: undefined })
  folder = await mkdtemp(join(tmpdir(), 'muster-keys-'))
  return () => rm(folder, { recursive: true })
})
afterAll(() => simulator.close())

type Row = Record<string, string | number>

/** Runs the command on a file of that text; answers the rows of its report as well. */
async function checkFile(csv: string | Buffer, options: readonly string[] = []) {
  const report = join(folder, 'report.json')
  await writeFile(join(folder, 'keys.csv'), csv)
  const ended = await runMuster(
    ['keys', 'check', '--file', join(folder, 'keys.csv'), '--report', report, '--yes', ...options],
    { env },
  )
  const text = await readFile(report, 'utf8').catch(() => '[]')
  const rows: Row[] = JSON.parse(text)
  return { ...ended, report, text, rows }
}

const env = {
  get MUSTER_CLOUDFLARE_URL() {
    return simulator.url
  },
  // Most tests here have more wrong keys than five minutes allow.
  MUSTER_LOCK_OUT_FAILURES: '1000000',
}

const busy = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds }, body: '' })

const outcomesOf = (rows: readonly Row[]) => rows.map(({ line, outcome, code }) => [line, outcome, code])

describe('muster keys check --file exits with', () => {
  test('0 if all keys are valid', async () => {
    const { code, stdout, rows } = await checkFile(
      `key,key_type\n${S.userToken},api_token\n${S.accountToken},api_token\n`,
    )
    expect({ code, rows: rows.length }).toEqual({ code: 0, rows: 2 })
    expect(stdout).toBe('provider    valid  invalid  undetermined\ncloudflare  2      0        0\n')
  })

  test('1 if all keys have a verdict and one is invalid', async () => {
    const { code, stderr } = await checkFile(`key\n${S.userToken}\n${S.disabled}\n`, ['-t', 'api_token'])
    expect(code).toBe(1)
    expect(stderr).toContain('Checked 2 keys.')
  })

  test('2 if one key is undetermined, whatever the others are', async () => {
    const { code, rows } = await checkFile(`key\n${S.userToken}\n${S.disabled}\n${faultToken('html_502')}\n`, [
      '-t',
      'api_token',
    ])
    expect(code).toBe(2)
    expect(outcomesOf(rows)).toEqual([
      [2, 'valid', 'valid'],
      [3, 'invalid', 'disabled'],
      [4, 'undetermined', 'provider_answer_unexpected'],
    ])
  })

  test('2 for a missing file and an unwritable report', async () => {
    const gone = await runMuster(['keys', 'check', '--file', join(folder, 'none.csv')], { env })
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toMatch(/^Cannot read .*none\.csv\.\n$/)
    const unwritable = ['keys', 'check', '--file', '-', '--report', join(folder, 'no', 'out.csv')]
    expect(await runMuster(unwritable, { env, input: `key\n${S.userToken}\n` })).toMatchObject({ code: 2, stdout: '' })
    expect(simulator.received).toEqual([])
  })
})

describe('the file of keys', () => {
  test('may have columns in any order and case, a byte order mark, CRLF and quotes; empty fields take the options', async () => {
    const csv = [
      '\uFEFFLabel, email,"KEY",Key_Type,provider',
      `"one, ""quoted""",,"${S.userToken}",api_token,cloudflare`,
      '',
      `two,${S.email},${S.oldGlobalKey},api_key,`,
      `,,"  ${S.expiring} ",,`,
    ].join('\r\n')
    const { code, rows } = await checkFile(csv, ['-t', 'api_token'])
    expect(code).toBe(0)
    const common = { provider: 'cloudflare', outcome: 'valid', code: 'valid', message: expect.any(String) }
    expect(rows).toEqual([
      { ...common, line: 2, label: 'one, "quoted"', keyType: 'api_token' },
      { ...common, line: 4, label: 'two', keyType: 'api_key' },
      { ...common, line: 5, keyType: 'api_token', expiresOn: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })

  test('may come from standard input', async () => {
    const input = `key,key_type\n${S.userToken},api_token\n`
    const ended = await runMuster(['keys', 'check', '--file', '-', '--json'], { env, input })
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toEqual({ provider: 'cloudflare', valid: 1, invalid: 0, undetermined: 0 })
  })

  test.each([
    [
      'an unknown column',
      `key,note\n${S.userToken},x\n`,
      'Column 2 of the first line has an unknown name. Columns: key, ',
    ],
    ['no key column', `label,key_type\nx,api_token\n`, 'The first line has no column key.'],
    ['a column twice', `key,KEY\nx,y\n`, 'The first line names a column twice.'],
    ['nothing', '\r\n', 'The file is empty'],
  ])('is rejected with %s', (_, csv, sentence) => {
    expect(() =>
      readKeyRows(Buffer.from(csv), { providers: () => [], providerId: () => undefined }, { provider: 'cloudflare' }),
    ).toThrow(sentence)
  })

  test('without a header causes no call, no output of the line and no report', async () => {
    const { code, stdout, stderr } = await checkFile(`${S.userToken},api_token\n`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^Column 1 of the first line has an unknown name\. Columns: key, provider, key_type, email, label and parts of a credential\.\n$/,
    )
    expect(simulator.received).toEqual([])
    expect(await readdir(folder)).toEqual(['keys.csv'])
  })

  test('with malformed lines: names these with a reason and checks the others', async () => {
    const lines: (string | Buffer)[] = [
      'key,provider,key_type,email',
      `${S.userToken},,api_token,`,
      `,,api_token,`,
      `${S.userToken},,api_token`,
      `"${S.userToken},,api_token,`,
      `${S.userToken},,password,`,
      `${S.userToken},,,`,
      `${S.userToken},nobody,api_token,`,
      `${S.userToken},imperva,api_token,`,
      `${S.oldGlobalKey},,api_key,`,
      `${S.oldGlobalKey},,api_key,no address`,
      Buffer.from([0xff, 0x2c, 0x2c, 0x2c]),
      `${'x'.repeat(4_097)},,api_token,`,
      `${S.disabled},Cloudflare,api_token,`,
    ]
    const csv = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
    const { code, rows, stderr } = await checkFile(csv)
    expect(code).toBe(2)
    const malformed = (line: number) => [line, 'undetermined', 'input_invalid']
    expect(outcomesOf(rows)).toEqual([
      [2, 'valid', 'valid'],
      ...[3, 4, 5, 6, 7].map(malformed),
      [8, 'undetermined', 'provider_unsupported'],
      [9, 'undetermined', 'provider_unsupported'],
      ...[10, 11, 12, 13].map(malformed),
      [14, 'invalid', 'disabled'],
    ])
    for (const sentence of [
      'Line 3: The key is missing.',
      'Line 4: The line has more or fewer fields than the first line.',
      'Line 5: The line is not CSV (RFC 4180). Check its quotes.',
      'Line 6: key_type must be one that Cloudflare supports: api_token or api_key.',
      'Line 7: Cloudflare has several types of keys. Set key_type to api_token or api_key.',
      'Line 9: Imperva does not document its responses to valid or invalid keys; ',
      "Line 10: Cloudflare needs the account's email address.",
      'Line 11: This is not an email address.',
      'Line 12: The line is not UTF-8.',
      'Line 13: The key is longer than 4,096 characters.',
    ])
      expect(stderr).toContain(sentence)
    expect(simulator.received).toHaveLength(2)
  })
})

describe('the report', () => {
  test('as CSV is safe for spreadsheets: all fields are quoted, and a label that looks like a formula is text', async () => {
    const path = join(folder, 'out.csv')
    const input = `key,label\n${S.userToken},"=HYPERLINK(""http://x"")"\n${S.disabled},@x\n${S.expiring},plain\n`
    await runMuster(['keys', 'check', '-t', 'api_token', '--file', '-', '--report', path], { env, input })
    const lines = (await readFile(path, 'utf8')).split('\r\n')
    expect(lines[0]).toBe('"line","label","provider","key_type","outcome","code","message","expires_on"')
    expect(lines[1]).toMatch(
      /^"2","'=HYPERLINK\(""http:\/\/x""\)","cloudflare","api_token","valid","valid","The .*",""$/,
    )
    expect(lines[2]).toMatch(/^"3","'@x",.*"invalid","disabled"/)
    expect(lines[3]).toMatch(/^"4","plain",.*,"\d{4}-\d\d-\d\dT[^"]*Z"$/)
    expect(lines.slice(4)).toEqual([''])
  })

  test('is readable only by its owner, appears when complete, and replaces a file only with --yes', async () => {
    const path = join(folder, 'out.json')
    const args = ['keys', 'check', '-t', 'api_token', '--file', '-', '--report', path]
    const input = `key\n${S.userToken}\n`
    expect((await runMuster(args, { env, input })).code).toBe(0)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['out.json'])
    const calls = simulator.received.length

    await writeFile(path, 'precious')
    const refused = await runMuster(args, { env, input })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/already exists\. Add --yes to replace it/)
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect(simulator.received).toHaveLength(calls)

    expect((await runMuster([...args, '--yes'], { env, input })).code).toBe(0)
    expect(JSON.parse(await readFile(path, 'utf8'))).toHaveLength(1)
    expect((await runMuster([...args.slice(0, -1), 'out.txt'], { env, input })).stderr).toMatch(/\.csv or \.json/)
  })

  test('does not replace a file that was created during the checks', async () => {
    const path = join(folder, 'out.json')
    simulator.control.answer = () => {
      void writeFile(path, 'precious')
      return undefined
    }
    const args = ['keys', 'check', '-t', 'api_token', '--file', '-', '--report', path]
    const { code, stderr } = await runMuster(args, { env, input: `key\n${S.oldAccountToken}\n` })
    expect(code).toBe(2)
    expect(stderr).toMatch(/was created in the meantime\. The result is in .*out\.json\.unfinished/)
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect(JSON.parse(await readFile(`${path}.unfinished`, 'utf8'))).toHaveLength(1)
  })
})

describe('a provider that limits the rate', () => {
  test('delays the check, and the key then gets its verdict', async () => {
    let calls = 0
    simulator.control.answer = () => (calls++ === 0 ? busy('2') : undefined)
    const { code, rows, stderr } = await checkFile(`key\n${S.userToken}\n`, ['-t', 'api_token'])
    expect({ code, calls }).toEqual({ code: 0, calls: 2 })
    expect(outcomesOf(rows)).toEqual([[2, 'valid', 'valid']])
    expect(stderr.match(/^Waiting.*$/gm)).toEqual([
      'Waiting 2 s. The rate limit of Cloudflare has been reached, so the API token was not checked; try again later.',
    ])
  })

  test('for longer than --wait leaves its keys undetermined and gets no further calls', async () => {
    simulator.control.answer = () => busy('200')
    const keys = Array.from({ length: 30 }, (_, number) => synthetic('cfut_', `Held${number}`))
    const { code, rows } = await checkFile(['key', ...keys].join('\n'), ['-t', 'api_token', '--wait', '100'])
    expect(code).toBe(2)
    expect(rows.map(({ outcome, code: why }) => `${outcome} ${why}`)).toEqual(
      Array(30).fill('undetermined provider_busy'),
    )
    // Those that were under way when the first was refused.
    expect(simulator.received.length).toBeLessThanOrEqual(8)
  })

  test('and locks out after wrong keys does not make a later valid key invalid', async () => {
    Object.assign(simulator.control, { lockOutAfter: 2 })
    const csv = ['key', S.unknownUserToken, synthetic('cfut_', 'Unknown2'), synthetic('cfut_', 'Unknown3'), S.userToken]
    const { rows } = await checkFile(csv.join('\n'), ['-t', 'api_token', '--wait', '5', '--at-once', '1'])
    expect(outcomesOf(rows)).toEqual([
      [2, 'invalid', 'not_recognised'],
      [3, 'invalid', 'not_recognised'],
      [4, 'undetermined', 'provider_busy'],
      [5, 'undetermined', 'provider_busy'],
    ])
  })
})

test('wrong keys beyond 60 % of MUSTER_LOCK_OUT_FAILURES stay undetermined and unsent if --wait is too short', async () => {
  const bounded = { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_LOCK_OUT_FAILURES: '8' }
  const wrong = Array.from({ length: 10 }, (_, number) => synthetic('cfut_', `Bounded${number}`))
  const args = [
    'keys',
    'check',
    '-t',
    'api_token',
    '--file',
    '-',
    '--report',
    join(folder, 'out.json'),
    '--wait',
    '100',
  ]
  const { code, stderr } = await runMuster(args, { env: bounded, input: ['key', ...wrong].join('\n') })
  expect(code).toBe(2)
  expect(stderr).not.toContain('Waiting')
  const rows: Row[] = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))
  const counts = ['not_recognised', 'provider_busy'].map(
    (why) => rows.filter(({ code: found }) => found === why).length,
  )
  expect(counts).toEqual([3, 7])
  expect(simulator.received).toHaveLength(3)
})

describe('while muster keys check --file runs', () => {
  test('it never runs more than --at-once checks in parallel', async () => {
    let atOnce = 0
    let most = 0
    let begin = () => {}
    const three = new Promise<void>((done) => {
      begin = done
    })
    simulator.control.answer = () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      if (most === 3) begin()
      // Nothing is answered before there are three; then each takes long enough for a fourth to come.
      simulator.control.hold = three
        .then(() => pause(30))
        .then(() => {
          atOnce -= 1
        })
      return undefined
    }
    const keys = Array.from({ length: 12 }, (_, number) => synthetic('cfut_', `AtOnce${number}`))
    const { rows } = await checkFile(['key', ...keys].join('\n'), ['-t', 'api_token', '--at-once', '3'])
    expect(rows).toHaveLength(12)
    expect(most).toBe(3)
  })

  test('Ctrl-C writes the report of the finished checks and exits with 130', async () => {
    const path = join(folder, 'out.json')
    let calls = 0
    simulator.control.answer = () => {
      calls += 1
      if (calls === 3) simulator.control.hold = new Promise(() => undefined)
      return undefined
    }
    const child = spawn(
      process.execPath,
      [program, 'keys', 'check', '-t', 'api_token', '--at-once', '1', '--file', '-', '--report', path],
      { env: { PATH: process.env.PATH, ...env, MUSTER_CLOUDFLARE_URL: simulator.url } },
    )
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece
    })
    child.stdout.resume()
    child.stdin.end(['key', S.userToken, S.disabled, S.expiring, S.expired].join('\n'))
    while (calls < 3) await pause(5)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(stderr).toContain('Stopped after 2 of 4 keys.')
    expect(outcomesOf(JSON.parse(await readFile(path, 'utf8')))).toEqual([
      [2, 'valid', 'valid'],
      [3, 'invalid', 'disabled'],
    ])
    await expect(access(`${path}.unfinished`)).rejects.toThrow()
  })
})

test.each([
  [['--report', 'x.csv'], /--report <path>' needs --file/],
  [['--file', '-', '--details'], /cannot be used with option '--details'/],
  [['--file', '-', '--at-once', '0'], /It must be a whole number from 1 to 256/],
])('muster keys check exits with 2 for conflicting options: %s', async (args, sentence) => {
  const { code, stdout, stderr } = await runMuster(['keys', 'check', ...args], { env, input: `key\n${S.userToken}\n` })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})

test('no key appears in any output or report, whatever its place in the file', async () => {
  const canary = 'cfut_CanaryCanaryCanaryCanaryCanaryCanaryCanar0badcafe'
  const csv = [
    'key,provider,key_type,email,label',
    `${canary},,api_token,,plain`,
    `${canary},,api_key,ada@example.com,`,
    `${canary},,api_key,,`,
    `${canary},,api_token,,${canary}`,
    `${canary},,api_token,,${canary.slice(0, 20)}`,
    `${canary},,api_token,,${canary} of ada`,
    `x,${canary},api_token,,`,
    `x,,${canary},,`,
    `x,,api_key,${canary},`,
    `"${canary},,,,`,
    `${canary}`,
    `${canary},,api_token,,,,`,
    `"${canary}"x,,api_token,,`,
    `${faultToken('html_502')},,api_token,,`,
  ]
  simulator.control.answer = ({ headers }) =>
    String(headers.authorization).includes('simulate')
      ? json(500, { success: false, errors: [{ code: 1, message: canary }] })
      : undefined
  const { stdout, stderr, text, rows } = await checkFile(csv.join('\n'))
  expect(rows).toHaveLength(14)
  const told = stdout + stderr + text
  const half = Math.floor(canary.length / 2)
  const bytes = Buffer.from(canary)
  for (const form of [
    canary.slice(0, half),
    canary.slice(half),
    canary.slice(0, 20),
    bytes.toString('base64').slice(0, 30),
  ])
    expect(told).not.toContain(form)
  expect(told).not.toContain('ada@example.com')
  const asCsv = join(folder, 'all.csv')
  const args = ['keys', 'check', '--file', join(folder, 'keys.csv'), '--report', asCsv]
  await runMuster(args, { env })
  expect(await readFile(asCsv, 'utf8')).not.toContain(canary.slice(0, 20))
})
