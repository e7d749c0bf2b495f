import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edited, editsOf, readRecipe, root } from './support/recipe.ts'
import { recipes } from './support/recipes.ts'

test.each(recipes)('$heading: the lines named by the recipe exist', ({ page, heading }) => {
  const files = new Map<string, string>()
  for (const edit of editsOf(readRecipe(page, heading))) {
    const path = join(root, edit.file)
    const before = files.get(edit.file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
    files.set(edit.file, edited(edit, before))
  }
  expect(files.size).toBeGreaterThan(0)
})
