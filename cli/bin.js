#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/muster.js', import.meta.url)
if (!existsSync(program)) {
  process.stderr.write('Muster is not built yet. Run: npm run build\n')
  process.exit(1)
}
await import(program.href)
