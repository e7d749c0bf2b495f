import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type Service, startService } from '../../../support/service.ts'

const path = '/api/v1/admin/users/fetch'
const bom = '\u{FEFF}'

let service: Service
let admin: Person
/** The first line of CSV, without a byte order mark. */
let header: string
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
  await service.sql(`with org as (insert into organization (name) values ('Gänsefüßchen') returning id)
    insert into membership (organization_id, account_id) select id, '${admin.id}' from org`)
  header = `${(await get('text/csv', '?email=nobody')).text.trim()}\r\n`
  expect(header).toMatch(/^id,[a-z_,]+\r\n$/)
})
afterAll(() => service.stop())

function get(accept: string, query = '') {
  return service.get(`${path}${query}`, { token: admin.token, headers: { accept } })
}

/** The bytes as sent: a decoder of text drops the byte order mark. */
async function startOf(accept: string, query = ''): Promise<string> {
  const response = await fetch(`${service.url}${path}${query}`, {
    headers: { authorization: `Bearer ${admin.token}`, accept },
  })
  return Buffer.from(await response.arrayBuffer()).toString('utf8')
}

const fileNames = {
  'text/csv': /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/,
  'text/csv; bom=present': /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/,
  'application/x-ndjson': /^attachment; filename="users-\d{4}-\d\d-\d\d\.ndjson"$/,
}

test.each(Object.entries(fileNames))(
  '%s is a download with a file name, as a full list, a page and to HEAD',
  async (accept, name) => {
    for (const query of ['', '?limit=1'])
      expect((await get(accept, query)).headers['content-disposition']).toMatch(name)
    const head = await service.call('HEAD', path, { token: admin.token, headers: { accept } })
    expect(head.headers['content-disposition']).toMatch(name)
  },
)

test('the file name has the day of the request in UTC', async () => {
  const before = new Date().toISOString().slice(0, 10)
  const { headers } = await get('text/csv')
  const after = new Date().toISOString().slice(0, 10)
  expect([before, after].map((day) => `attachment; filename="users-${day}.csv"`)).toContain(
    headers['content-disposition'],
  )
})

test('JSON and errors are not sent as downloads', async () => {
  for (const accept of ['application/json', '*/*'])
    expect((await get(accept)).headers).not.toHaveProperty('content-disposition')
  for (const query of ['?limit=0', '?cursor=unknown']) {
    const refused = await get('text/csv', query)
    expect([query, refused.status]).toEqual([query, 400])
    expect(refused.headers).not.toHaveProperty('content-disposition')
  }
})

test('CSV has no byte order mark by default', async () => {
  for (const accept of ['text/csv', 'text/csv; charset=utf-8; header=present', 'text/csv; bom=absent', 'text/*'])
    expect([accept, (await startOf(accept)).startsWith(header)]).toEqual([accept, true])
  expect((await get('text/csv')).headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
})

test.each([
  'text/csv; bom=present',
  'TEXT/CSV;BOM=Present',
  'text/csv ; bom="present"',
  'text/csv;bom="pre\\sent"',
  'text/csv; charset="a;b,c"; bom=present',
  'text/csv; bom=present; q=0.5',
  'text/csv; q=0.5; bom=present',
  'text/csv; q=0.2, text/csv; bom=present; q=0.9',
  'text/csv; bom=absent; q=0, text/csv',
])('Accept: %s starts CSV with a byte order mark', async (accept) => {
  expect(await startOf(accept)).toMatch(new RegExp(`^${bom}${header}"`))
  expect((await get(accept)).headers['content-type']).toBe('text/csv; charset=utf-8; header=present; bom=present')
})

test.each([
  'text/csv; x="bom=present"',
  'text/csv; x=";bom=present"',
  'text/csv; x="\\";bom=present"',
  'text/csv; bom=present; q=0, text/csv; q=0.1',
  'text/csv, text/csv; bom=present; q=0.9',
])('Accept: %s does not', async (accept) => {
  expect((await startOf(accept)).startsWith(header)).toBe(true)
})

test.each(['text/csv; bom=maybe', 'text/csv; bom', 'application/json; bom=present'])(
  '406 format_not_acceptable for Accept: %s',
  async (accept) => {
    expect((await get(accept)).body).toMatchObject({ status: 406, code: 'format_not_acceptable' })
  },
)

test('the byte order mark is sent once: in the full list, in each page, in an empty list and with gzip', async () => {
  const accept = 'text/csv; bom=present'
  const count = (text: string) => text.split(bom).length - 1
  for (const query of ['', '?limit=1']) {
    const text = await startOf(accept, query)
    expect([count(text), text.includes('Gänsefüßchen')]).toEqual([1, true])
  }
  for (const query of ['?email=nobody', '?email=nobody&limit=1'])
    expect(await startOf(accept, query)).toBe(`${bom}${header}`)
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${admin.token}`, accept, 'accept-encoding': 'gzip' },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  expect(count(text)).toBe(1)
})

test('a page of another origin can read the file name', async () => {
  const origin = 'https://app.example.com'
  const open = await startService({ on: service.fresh, env: { MUSTER_ALLOWED_ORIGINS: origin } })
  try {
    const token = admin.token
    const { headers } = await open.get(path, { token, headers: { origin, accept: 'text/csv' } })
    expect(headers['access-control-expose-headers']).toContain('Content-Disposition')
  } finally {
    await open.stop()
  }
})
