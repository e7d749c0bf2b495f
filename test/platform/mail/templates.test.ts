import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { languages, type MailKind, mailKinds } from '../../../src/platform/mail/kinds.ts'
import { readMailSettings } from '../../../src/platform/mail/settings.ts'
import { readTemplates } from '../../../src/platform/mail/templates.ts'
import { openTransport } from '../../../src/platform/mail/transport.ts'
import { SettingsReader } from '../../../src/platform/settings.ts'
import { StartError } from '../../../src/platform/start-error.ts'
import { serve } from '../../../src/serve.ts'
import { mailServerForTest, mailSettings, type Received } from '../../support/mail-server.ts'

// A cast, because Object.keys returns `string[]`.
const kinds = Object.keys(mailKinds) as MailKind[]

/** One value for each placeholder of the template. */
function valuesOf(kind: MailKind): Record<string, string> {
  const own = mailKinds[kind].map((name) => [name, `<${name}> & "co"`])
  return { ...Object.fromEntries(own), service: 'muster.test', email: "o'hara@example.com" }
}

/** Sends mails with the real transport and returns what arrived. */
async function send(
  messages: readonly { readonly subject: string; readonly text: string; readonly html: string }[],
): Promise<readonly Received[]> {
  const server = await mailServerForTest()
  const settings = readMailSettings(new SettingsReader(mailSettings(server)))
  if (!settings) throw new Error('the settings are wrong')
  const transport = await openTransport(settings)
  for (const message of messages)
    expect(
      await transport.send({ id: randomUUID(), to: 'ada@example.com', language: 'en', ...message }),
    ).toBeUndefined()
  transport.close()
  return server.received
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-mails-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'en'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'en', name), text)
  return folder
}

test('every mail is sent in every language as text and HTML with the same values, which are escaped in HTML', async () => {
  const templates = readTemplates(undefined)
  const sent = languages.flatMap((language) =>
    kinds.map((kind) => ({ kind, language, ...templates.render(kind, language, valuesOf(kind)) })),
  )
  const received = await send(sent)
  expect(received).toHaveLength(languages.length * kinds.length)
  expect(new Set(received.map(({ mail }) => mail.subject)).size).toBe(received.length)
  for (const [n, { mail, raw }] of received.entries()) {
    const { kind, language } = sent[n] ?? {}
    const name = `${kind} ${language}`
    expect(`${mail.subject}${mail.text}${mail.html}`, name).not.toContain('{{')
    expect(mail.text, name).toContain('muster.test')
    expect(mail.html, name).toContain(`<html lang="${language}">`)
    expect(mail.html, name).not.toMatch(/<script|<img|https?:\/\//)
    expect(raw, name).toMatch(/^Content-Type: multipart\/alternative/m)
    for (const value of kind ? mailKinds[kind] : []) {
      expect(mail.text, name).toContain(`<${value}> & "co"`)
      expect(mail.html, name).toContain(`&#60;${value}&#62; &#38; &#34;co&#34;`)
    }
  }
})

test('a line break in a value adds no header', async () => {
  const folder = folderWith({ 'test.txt': 'Subject: For {{email}}\n\nText.\n' })
  const values = { service: 'muster.test', email: 'Ada\r\nBcc: eve@example.com\r\n\r\nbody' }
  const [received] = await send([readTemplates(folder).render('test', 'en', values)])
  expect(received?.to).toEqual(['ada@example.com'])
  expect(received?.mail.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(received?.mail.text?.trim()).toBe('Text.')
})

describe('templates of the operator', () => {
  test('replace single built-in templates, and values in their HTML are escaped', () => {
    const folder = folderWith({
      'test.txt': 'Subject: Ours\r\n\r\nOur text for {{email}}.\r\n',
      'test.html': '<b>{{email}}</b>',
    })
    const templates = readTemplates(folder)
    expect(templates.render('test', 'en', { email: '<a@b.example>', service: 's' })).toEqual({
      subject: 'Ours',
      text: 'Our text for <a@b.example>.\n',
      html: '<b>&#60;a@b.example&#62;</b>',
    })
    expect(templates.render('test', 'de', { email: 'a@b.example', service: 's' }).subject).toBe('Testmail von s')
  })

  test.each([
    ['without a subject', { 'recovery.txt': 'Open {{link}}.\n' }],
    ['without a text', { 'recovery.txt': 'Subject: Link\n\n' }],
    ['with an unknown placeholder', { 'recovery.txt': 'Subject: Link\n\n{{link}} {{password}}\n' }],
    ['with an unknown placeholder in HTML', { 'recovery.html': '<a href="{{url}}">' }],
    ['with a million braces in HTML', { 'recovery.html': `${'{'.repeat(1_000_000)}url}}` }],
  ])('a template %s fails the start before anything is opened', async (_, files) => {
    const env = { MUSTER_SMTP_URL: 'smtp://127.0.0.1:9', MUSTER_MAIL_FROM: 'a@b.example', MUSTER_DATA_DIR: '/nowhere' }
    const starting = serve({ ...env, MUSTER_MAIL_DIR: folderWith(files) })
    await expect(starting).rejects.toThrow(StartError)
    await expect(starting).rejects.toThrow(/recovery\.(txt|html)/)
  })
})

describe('settings', () => {
  const faults = (env: Readonly<Record<string, string>>) => {
    const read = new SettingsReader(env)
    readMailSettings(read)
    return read.faults
  }
  const from = { MUSTER_MAIL_FROM: 'muster@corp.example' }

  test.each([
    ['http://mail.example.com', 'must be an address'],
    ['mail.example.com:587', 'must be an address'],
    ['smtp://', 'must be an address'],
    ['smtp://mail.example.com/path', 'must have no path'],
    ['smtp://mail.example.com?pool=true', 'must have no path'],
    ['smtp://user:100%@mail.example.com', 'not percent-encoded'],
  ])('MUSTER_SMTP_URL %s is rejected without printing the URL', (url, reason) => {
    const [fault = '', ...more] = faults({ ...from, MUSTER_SMTP_URL: url })
    expect(more).toEqual([])
    expect(fault).toContain(reason)
    expect(fault).not.toContain('100%')
  })

  test.each([
    '',
    'muster',
    'Muster <muster>',
    'a@b.example, c@d.example',
    '"M" <a@b.example>',
    'M\u0007 <a@b.example>',
  ])('MUSTER_MAIL_FROM %j is rejected', (value) => {
    const url = 'smtp://user:p%40ss@mail.example.com'
    expect(faults({ MUSTER_SMTP_URL: url, MUSTER_MAIL_FROM: value }).join()).toMatch(/^MUSTER_MAIL_FROM/)
  })
})
