import { expect, test } from 'vitest'
import { auditActions } from '../../../src/platform/audit/actions.ts'
import { auditShapes } from '../../support/audit-shapes.ts'

test('the meaning of each action names the members of its details', () => {
  for (const [action, [, ...members]] of Object.entries(auditShapes)) {
    const meaning: string = Object.entries(auditActions).find(([name]) => name === action)?.[1] ?? ''
    expect(meaning.match(/`\w+`/g) ?? [], action).toEqual(
      expect.arrayContaining(members.map((member) => `\`${member.replace('?', '')}\``)),
    )
  }
})
