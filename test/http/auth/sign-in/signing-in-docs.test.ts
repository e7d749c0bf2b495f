import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Service } from '../../../support/service.ts'
import { codeAt, startIssuer } from '../../../support/test-client.ts'

const page = readFileSync(new URL('../../../../docs/signing-in.md', import.meta.url), 'utf8')
const muster = fileURLToPath(new URL('../../../../dist/bundle/muster.cjs', import.meta.url))
const encryptionKey = Buffer.alloc(32, 7).toString('base64')

/** The commands of the page, each with its expected output. */
const steps = [...page.matchAll(/```sh\n(.*?)```(?:\n+```output\n(.*?)```)?/gs)].map(([, commands = '', output]) => ({
  commands,
  output,
}))

const missing = ['bash', 'curl', 'jq'].filter((tool) => {
  try {
    return execFileSync(tool, ['--version']).length === 0
  } catch {
    return true
  }
})

test('every command of docs/signing-in.md prints what the page shows', async () => {
  expect(missing, 'tools that are not installed').toEqual([])
  // As with the default address.
  const passkeys = { MUSTER_WEBAUTHN_RP_ID: 'localhost', MUSTER_WEBAUTHN_ORIGINS: 'http://localhost:4600' }
  const env = { MUSTER_SIGN_UP: 'invitation', MUSTER_ENCRYPTION_KEY: encryptionKey, ...passkeys }
  const service = await startIssuer({ env })
  onTestFinished(() => service.stop())
  await service.person({ email: 'admin@muster.local', password: 'first-admin-password' })
  await service.sql(`update credential set initial_until = now() + interval '7 days'`)
  await service.sql(`update account set first_session = null`)
  await service.sql(`delete from session`)

  const printed = await run(service, steps.map(({ commands }) => `${commands}\necho ${marker}`).join('\n'))
  const parts = printed.split(`${marker}\n`)
  expect(steps.length).toBeGreaterThan(10)
  for (const [n, { commands, output = '' }] of steps.entries()) expect(parts[n], commands).toBe(output)
})

const marker = '--- next step ---'

async function run(service: Service, script: string): Promise<string> {
  const bin = await tools(service)
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    MUSTER: service.url,
    EMAIL: 'admin@muster.local',
    PASSWORD: 'first-admin-password',
    DATABASE_URL: service.fresh.url,
    MUSTER_ENCRYPTION_KEY: encryptionKey,
  }
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script], { env })
  return stdout
}

/** Fakes `oathtool`, which moves the service's clock to the next code, and `muster`, which is the current build. */
async function tools(service: Service): Promise<string> {
  const codes = createServer((request, response) => {
    service.clock.advanceSeconds(60)
    response.end(codeAt(request.url?.slice(1) ?? '', service.clock.now()))
  })
  await new Promise<void>((listening) => codes.listen(0, '127.0.0.1', listening))
  const address = codes.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const bin = mkdtempSync(join(tmpdir(), 'muster-tools-'))
  onTestFinished(() => {
    codes.close()
    rmSync(bin, { recursive: true })
  })
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  write('oathtool', `exec curl -sS "http://127.0.0.1:${port}/$3"`)
  write('muster', `exec "${process.execPath}" "${muster}" "$@"`)
  return bin
}
