import fc from 'fast-check'
import { inject } from 'vitest'
import './remembered-hashes.ts'

// The same for every property of a run. What fails prints it too, with the path to the smallest example.
fc.configureGlobal({ seed: inject('propertySeed') })
