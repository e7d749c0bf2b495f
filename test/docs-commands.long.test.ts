import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareSimulator, startCloudflareSimulator } from '../simulators/cloudflare/server.ts'
import { samples } from '../simulators/cloudflare/state.ts'
import { type Block, blocksOf, commandsTest, heldBy } from './support/documented-blocks.ts'
import { runSteps, type Step, stepsOf, toolsFor } from './support/documented-commands.ts'
import type { Person, Service } from './support/service.ts'
import { startIssuer } from './support/test-client.ts'

/**
 * Runs the commands in README.md, docs/start.md, docs/administration.md, docs/audit.md, docs/organizations.md,
 * docs/permissions.md, docs/monitoring.md, docs/issuers.md and docs/checking-keys.md, except those with a reason in
 * support/documented-blocks.ts.
 */
const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const publicUrl = 'http://muster.test'
const metricsToken = 'a-token-for-the-metrics'

let service: Service
let simulator: CloudflareSimulator
let folder: string
let admin: Person
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
  service = await startIssuer({
    env: {
      MUSTER_ENCRYPTION_KEY: encryptionKey,
      MUSTER_PUBLIC_URL: publicUrl,
      MUSTER_CLOUDFLARE_URL: simulator.url,
      MUSTER_METRICS_TOKEN: metricsToken,
      MUSTER_PROVIDER_HETZNER_URL: simulator.url,
    },
  })
  folder = mkdtempSync(join(tmpdir(), 'muster-docs-'))
  admin = await service.person({ email: 'admin@muster.local', role: 'admin' })
  await service.sql(`update account set first_session = null`)
})
afterAll(async () => {
  await service?.stop()
  await simulator?.close()
  rmSync(folder, { recursive: true })
})

/** The commands of a page that belong to this test, in order. */
function stepsOfPage(page: string, change = (text: string) => text): readonly Step[] {
  return blocksOf(page)
    .filter(isRunHere)
    .flatMap((block) => stepsOf({ ...block, text: change(block.text) }))
}

function isRunHere(block: Block): boolean {
  const held = heldBy(block)
  return held !== undefined && 'by' in held && held.by === commandsTest && ['sh', 'console'].includes(block.language)
}

async function run(steps: readonly Step[], env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return runSteps(steps, {
    bin: toolsFor(service.url),
    cwd: folder,
    env: {
      DATABASE_URL: service.fresh.url,
      MUSTER_ENCRYPTION_KEY: encryptionKey,
      MUSTER_CLOUDFLARE_URL: simulator.url,
      MUSTER_PUBLIC_URL: publicUrl,
      METRICS_TOKEN: metricsToken,
      MUSTER: service.url,
      URL: service.url,
      TOKEN: admin.token,
      ...env,
    },
  })
}

/** Replaces values that differ between runs in both texts. */
function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/cursor=[\w…-]+/g, 'cursor=<cursor>')
    .trim()
}

async function expectShown(steps: readonly Step[]): Promise<void> {
  const printed = await run(steps)
  for (const [n, { commands, output }] of steps.entries())
    if (output !== undefined) expect(comparable(printed[n] ?? ''), commands).toBe(comparable(output))
}

/** No command fails, and no request is rejected. */
async function expectToEnd(page: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const steps = stepsOfPage(page)
  expect(steps.length).toBeGreaterThan(0)
  await run(steps, { CURL_OPTIONS: '--fail', ...env })
}

describe('the first pages', () => {
  test('every command in docs/start.md prints what the page shows', () => expectShown(stepsOfPage('docs/start.md')))

  test('every command in README.md prints what the page shows', () =>
    // The test has already created an administrator, so the command asks for confirmation.
    expectShown(stepsOfPage('README.md', (text) => text.replace('muster seed', 'muster seed --yes'))))
})

describe('every command on the pages for operators succeeds', () => {
  test('docs/administration.md', async () => {
    const { id } = await service.person()
    writeFileSync(
      join(folder, 'users.csv'),
      'id,email,created_at\n7f1c0f0e-6e52-4b0c-9a43-0b8f5c2f9d11,eve@example.com,2026-01-01T00:00:00Z\n',
    )
    const create = `muster service-keys create nightly-export users:list`
    const [printed = ''] = await run([{ commands: create, output: undefined }])
    const [key = ''] = /msk_[\w-]+/.exec(printed) ?? []
    await expectToEnd('docs/administration.md', { ID: id, KEY: key })
    expect(readFileSync(join(folder, 'users.csv'), 'utf8')).toContain('ada@example.com')
    expect(await disabled(id)).toBe(true)
    expect(await service.sql(`select email from account where email = 'eve@example.com'`)).toHaveLength(1)
  })

  test('docs/audit.md', () => expectToEnd('docs/audit.md'))
  test('docs/organizations.md', () => expectToEnd('docs/organizations.md'))
  test('docs/issuers.md', () => expectToEnd('docs/issuers.md'))

  test('docs/permissions.md', async () => {
    await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
    await expectToEnd('docs/permissions.md')
    await run([{ commands: 'muster roles require-mfa admin --off', output: undefined }])
  })

  test('docs/monitoring.md', () => expectToEnd('docs/monitoring.md'))

  test('docs/checking-keys.md', async () => {
    writeFileSync(join(folder, 'token.txt'), samples.userToken)
    writeFileSync(
      join(folder, 'keys.csv'),
      `key,provider,key_type,label\n${samples.userToken},cloudflare,api_token,shop\n`,
    )
    await expectToEnd('docs/checking-keys.md')
    expect(readFileSync(join(folder, 'outcome.csv'), 'utf8')).toMatch(/"shop","cloudflare","api_token","valid"/)
  })
})

// Last, because it stops the provider.
test('README.md shows the problem for an unreachable provider', async () => {
  const [{ text = '' } = {}] = blocksOf('README.md').filter(({ language }) => language === 'json')
  const check = stepsOfPage('README.md').filter(({ commands }) => commands.includes('cfut_'))
  await simulator.close()
  service.clock.advanceSeconds(120)
  const [printed = ''] = await run(check)
  expect(JSON.parse(comparable(printed))).toEqual(JSON.parse(comparable(text)))
})

async function disabled(id: string): Promise<boolean | undefined> {
  const rows = await service.sql<{ is: boolean }>('select disabled_at is not null as is from account where id = $1', [
    id,
  ])
  return rows[0]?.is
}
