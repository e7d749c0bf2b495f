/** The recipes that a newcomer can follow to the letter, and that the tests follow. */
export const recipes: readonly { readonly page: string; readonly heading: string }[] = [
  { page: 'CONTRIBUTING.md', heading: 'Add an operation' },
]
