import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programOf } from '../../tools/run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('Redocly reports no errors or warnings for openapi.json', async () => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const linter = promisify(execFile)(process.execPath, [programOf('@redocly/cli'), 'lint', '--format=json'], {
    cwd: root,
    env,
  })
  const { stdout } = await linter.catch((fault: { stdout: string }) => fault)
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } })
})
