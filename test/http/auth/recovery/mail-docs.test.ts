import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { mailServerForTest, mailSettings, mailWorkOf } from '../../../support/mail-server.ts'
import { startIssuer } from '../../../support/test-client.ts'

const page = readFileSync(new URL('../../../../docs/mail.md', import.meta.url), 'utf8')
const muster = fileURLToPath(new URL('../../../../dist/bundle/muster.cjs', import.meta.url))
const encryptionKey = Buffer.alloc(32, 7).toString('base64')

/** The commands of the page, each with its expected output. */
const steps = [...page.matchAll(/```sh\n(.*?)```\n+```output\n(.*?)```/gs)].map(([, commands = '', output]) => ({
  commands,
  output,
}))

/** The recipients, once the service has handled the requests to a path. */
const mailsAfter = new Map([
  ['/auth/recovery', (own: string) => ['ada@example.com', own].sort()],
  ['/auth/sign-up', (own: string) => ['ada@example.com', own, 'grace@example.com'].sort()],
  ['/auth/email', (own: string) => ['ada@example.com', own, own, 'grace@example.com', 'ada@new.example.com'].sort()],
])

test('every command of docs/mail.md prints what the page shows, and the requested mails are sent', async () => {
  const server = await mailServerForTest()
  const env = { ...mailSettings(server), MUSTER_ENCRYPTION_KEY: encryptionKey, MUSTER_SIGN_UP: 'open' }
  const service = await startIssuer({ env })
  onTestFinished(() => service.stop())
  const person = await service.person()
  const work = await mailWorkOf(service)
  onTestFinished(() => work.close())

  const bin = mkdtempSync(join(tmpdir(), 'muster-tools-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  writeFileSync(join(bin, 'muster'), `#!/bin/sh\nexec ${process.execPath} ${muster} "$@"\n`)
  chmodSync(join(bin, 'muster'), 0o755)
  const run = async (commands: string) => {
    const settings = {
      ...env,
      DATABASE_URL: service.fresh.url,
      MUSTER: service.url,
      EMAIL: person.email,
      ACCESS: person.token,
    }
    const options = { env: { PATH: `${bin}${delimiter}${process.env.PATH}`, ...settings } }
    return (await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', commands], options)).stdout
  }
  expect(steps).toHaveLength(6)
  for (const { commands, output } of steps) {
    expect((await run(commands)).replace(/127\.0\.0\.1:\d+/, '127.0.0.1:2525'), commands).toBe(output)
    const sent = [...mailsAfter].find(([path]) => commands.includes(path))?.[1]
    await work.run()
    if (sent) expect(server.received.flatMap(({ to }) => to).sort()).toEqual(sent(person.email))
  }
})

test('docs/mail.md lists every mail with its recipient, trigger and content', () => {
  const templates = readdirSync(new URL('../../../../mails/en', import.meta.url)).map((name) =>
    name.replace('.txt', ''),
  )
  const [, table = ''] = page.split('## What is sent')
  const kinds = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)
  expect(kinds.sort()).toEqual(templates.sort())
})
