import { followRecipes } from './support/follow-recipes.ts'
import { recipesOfPlugins } from './support/recipes.ts'

followRecipes(recipesOfPlugins)
