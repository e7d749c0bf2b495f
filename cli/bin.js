#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/bundle/muster.cjs', import.meta.url)
if (!existsSync(program)) {
  process.stderr.write('Muster is not built yet. Run: npm run build\n')
  process.exit(1)
}
await import(program.href)
