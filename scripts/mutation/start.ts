import { test } from 'vitest'

test('the runner begins after this file', () => undefined)
