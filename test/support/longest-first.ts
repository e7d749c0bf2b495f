import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that last long although they are short, in the order of their start. */
const longest = [
  'test/contributing.long.test.ts',
  'test/contributing-plugins.long.test.ts',
  'test/cli/moving.long.test.ts',
  'test/http/every-operation/requests.test.ts',
  'test/platform/log.test.ts',
  'test/http/auth/sign-in/signing-in-docs.test.ts',
]

/**
 * Starts the files that last longest first, so that none of them runs alone at the end. Vitest knows how long a file lasted where it
 * ran before; in a new checkout it goes by the size of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.endsWith(path))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
