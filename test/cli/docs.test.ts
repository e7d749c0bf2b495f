import { expect, test } from 'vitest'
import { cliDocs } from '../../scripts/cli-docs.ts'

test('docs/cli.md shows the help of every command as it is', async () => {
  await expect(cliDocs()).toMatchFileSnapshot('../../docs/cli.md')
})
