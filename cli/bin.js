#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A checkout runs the sources, the package its bundle.
const sources = new URL('./muster.ts', import.meta.url)
const program = existsSync(sources) ? sources : new URL('../dist/bundle/muster.cjs', import.meta.url)
await import(program.href)
