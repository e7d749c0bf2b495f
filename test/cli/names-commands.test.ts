import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { runMuster } from './run-muster.ts'

const key = randomBytes(32).toString('base64')
let service: Service
let folder: string

beforeAll(async () => {
  service = await startService({ env: { MUSTER_ENCRYPTION_KEY: key } })
  folder = await mkdtemp(join(tmpdir(), 'muster-names-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const muster = (...args: readonly string[]) =>
  runMuster(args, { env: { DATABASE_URL: service.fresh.url, MUSTER_ENCRYPTION_KEY: key } })

const namesOf = (like: string) =>
  service.sql('select email, display_name as name from account where email like $1 order by email', [like])

describe('muster users', () => {
  test('create takes an email with a domain in Unicode and a name, and prints both as stored', async () => {
    const args = ['--email', 'Grace@exämple.de', '--name', ' Grace ', '--generate-password', '--json']
    const { code, stdout } = await muster('users', 'create', ...args)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ email: 'grace@xn--exmple-cua.de', displayName: 'Grace', role: 'user' })
  })

  test('set-name changes and removes the name, and list shows it', async () => {
    const { id } = await service.person({ email: 'mary@xn--exmple-cua.de' })
    const listed = async () => {
      const lines = (await muster('users', 'list', '--json')).stdout.split('\n').filter((line) => line.includes(id))
      return JSON.parse(String(lines[0]))
    }
    expect(await muster('users', 'set-name', 'mary@exämple.de', 'Mary Somerville')).toEqual({
      ...{ code: 0, stderr: '', stdout: 'Changed the name of mary@exämple.de to Mary Somerville.\n' },
    })
    expect(await listed()).toMatchObject({ email: 'mary@xn--exmple-cua.de', displayName: 'Mary Somerville' })
    expect(await muster('users', 'set-name', id)).toMatchObject({ code: 0, stdout: `Removed the name of ${id}.\n` })
    expect(await listed()).not.toHaveProperty('displayName')
    const events = await service.sql('select action, details from audit_event where target_id = $1', [id])
    expect(events).toEqual([
      { action: 'account.renamed', details: {} },
      { action: 'account.renamed', details: {} },
    ])
  })

  test.each([
    ['set-name', 'ada@example.com', ''],
    ['create', '--email', 'ada@example.com', '--generate-password', '--name', 'x'.repeat(201)],
    ['invite', '--email', 'ada@example.com', '--name', 'Ada\u202E'],
  ])('%s rejects an invalid name', async (...args) => {
    const { code, stderr } = await muster('users', ...args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The name must .+\.\n$/)])
  })
})

describe('muster import', () => {
  async function imported(from: string, file: string, content: string) {
    const path = join(folder, `${from}-${file}`)
    await writeFile(path, content)
    const ended = await muster('import', path, '--from', from)
    const rejected = ended.code === 0 ? '' : await readFile(`${path}.rejected.jsonl`, 'utf8')
    return {
      code: ended.code,
      rejected: rejected.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    }
  }

  const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

  test.each([
    ['muster', 'a.jsonl', lines({ id: '1', email: 'm@one.example', displayName: 'Ada Lovelace' })],
    ['muster', 'b.csv', 'id,email,display_name\r\n"2","m@two.example","Ada Lovelace"\r\n'],
    [
      'supabase',
      'a.jsonl',
      lines({ id: '1', email: 's@one.example', raw_user_meta_data: { full_name: 'Ada Lovelace' } }),
    ],
    ['supabase', 'b.csv', 'id,email,raw_user_meta_data\n2,s@two.example,"{""name"": ""Ada Lovelace""}"\n'],
    ['auth0', 'a.jsonl', lines({ user_id: 'auth0|1', email: 'a@one.example', name: 'Ada Lovelace' })],
    ['clerk', 'a.csv', 'id,first_name,last_name,primary_email_address\nu1,Ada,Lovelace,c@one.example\n'],
    ['keycloak', 'a.jsonl', lines({ id: '1', email: 'k@one.example', firstName: 'Ada', lastName: 'Lovelace' })],
    ['better-auth', 'a.jsonl', lines({ id: '1', email: 'b@one.example', name: 'Ada Lovelace' })],
  ])('--from %s keeps the name (%s)', async (from, file, content) => {
    expect(await imported(from, file, content)).toEqual({ code: 0, rejected: [] })
    const [email] = /[a-z]@(one|two)\.example/.exec(content) ?? []
    expect(await namesOf(String(email))).toEqual([{ email, name: 'Ada Lovelace' }])
  })

  test('a user without a name gets none, nor the email that Auth0 writes in its place', async () => {
    const content = lines(
      { user_id: 'auth0|2', email: 'none@auth0.example', name: 'none@auth0.example' },
      { user_id: 'auth0|3', email: 'zero@auth0.example' },
    )
    expect(await imported('auth0', 'none.jsonl', content)).toEqual({ code: 0, rejected: [] })
    expect(await namesOf('%@auth0.example')).toMatchObject([{ name: null }, { name: null }])
  })

  test('a domain in Unicode is stored with A-labels; the line of an email that is not ASCII before the @ says why', async () => {
    const content = lines(
      { id: '11', email: 'Mueller@exämple.org' },
      { id: '12', email: 'müller@exämple.org' },
      { id: '13', email: 'x@y.example', displayName: 'x\u202Ey' },
    )
    const { code, rejected } = await imported('muster', 'emails.jsonl', content)
    expect(code).toBe(1)
    expect(rejected).toEqual([
      {
        line: 2,
        reason:
          '"müller@exämple.org" must have only ASCII characters before the @; only the domain can have others, as in ada@exämple.de',
      },
      { line: 3, reason: 'the name must not have control, invisible or bidirectional characters' },
    ])
    expect(await namesOf('%.org')).toEqual([{ email: 'Mueller@xn--exmple-cua.org', name: null }])
  })
})
