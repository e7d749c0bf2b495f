import { followRecipes } from './support/follow-recipes.ts'
import { recipesOfOperations } from './support/recipes.ts'

followRecipes(recipesOfOperations)
