import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { openTerminal, spilled } from '../support/terminal.ts'
import { program } from './run-muster.ts'

/**
 * What an operator sees at a terminal, in one that is narrow and in one that is wide; `terminal-80.txt` and `terminal-110.txt` show it. After
 * a change on purpose: `MUSTER_TESTS=long npx vitest run test/cli/terminal.long.test.ts -u`.
 */
test.each([80, 110])(
  'at %i columns, the first start, doctor, an import and a check of many keys fit the terminal and match the recording',
  async (columns) => {
    const simulator = await startCloudflareSimulator()
    onTestFinished(() => simulator.close())
    const cwd = folder()
    const env = { ...settings(cwd), MUSTER_CLOUDFLARE_URL: simulator.url }
    const muster = (...args: readonly string[]) =>
      openTerminal([process.execPath, program, ...args], { columns, cwd, env })
    const recording: string[] = []

    const service = await muster('serve')
    await expect.poll(() => service.text()).toMatch(/ ready [\s\S]* version=/)
    recording.push(await service.text())
    for (const [exitCode, ...args] of [
      [0, 'doctor', '--skip', 'providers', 'port'],
      [1, 'import', 'users.csv', '--from', 'muster'],
      [1, 'keys', 'check', '--file', 'keys.csv', '--report', 'report.csv'],
    ] as const) {
      const terminal = await muster(...args)
      expect(await terminal.ended(), args.join(' ')).toBe(exitCode)
      recording.push(`$ muster ${args.join(' ')}\n${await terminal.text()}`)
    }
    expect(spilled(recording.join('\n'), columns)).toEqual([])
    await service.press('C-c')
    expect(await service.ended()).toBe(0)
    expect(spilled(await service.text(), columns)).toEqual([])
    await expect(`${constant(recording.join('\n\n'), cwd)}\n`).toMatchFileSnapshot(`terminal-${columns}.txt`)
  },
)

/** What differs from run to run has a fixed value of the same length. */
function constant(text: string, cwd: string): string {
  return text
    .replaceAll(cwd, cwd.replace(/......$/, 'AbCdEf'))
    .replaceAll(/\d\d:\d\d:\d\d/g, '09:41:07')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '45999')
    .replaceAll(/(?<=Password: {2}).{24}/g, 'x'.repeat(24))
    .replaceAll(/(?<=(left|used|max|reserved|available)=)\d+|(?<=which leaves |in use )\d+/g, '7')
    .replace(/^\w+ +clock .*\n(?: +.*\n)*/m, '')
    .replaceAll(/(?<=PostgreSQL )[\d.]+/g, '18')
    .replaceAll(/(?<=version=)\S+|(?<=migrations=)\d+|(?<=newest=)\w+|(?<=Up to date \()\d+/g, 'x')
}

/** With the files that the commands read. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  // An embedded PostgreSQL that root starts runs as another user, who must reach its directory.
  chmodSync(path, 0o755)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const users = Array.from({ length: 20_000 }, (_, number) => `${number},user${number}@example.com`)
  // The last line is not usable.
  writeFileSync(join(path, 'users.csv'), `id,email\n${[...users, 'last,nobody'].join('\n')}\n`)
  const keys = [samples.userToken, samples.disabled, samples.accountToken, samples.expiring, 'no key']
  const rows = keys.map((key, index) => `${key},api_token,a rather long label of the key number ${index}`)
  writeFileSync(join(path, 'keys.csv'), `key,key_type,label\n${rows.join('\n')}\n`)
  return path
}

function settings(cwd: string) {
  const data = { MUSTER_DATA_DIR: join(cwd, 'data'), MUSTER_PORT: '0', MUSTER_PUBLIC_URL: 'http://localhost:4600' }
  return { PATH: process.env.PATH ?? '', HOME: cwd, ...data }
}
