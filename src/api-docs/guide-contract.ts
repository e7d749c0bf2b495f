import Type from 'typebox'
import { type OperationContract, object, textContent } from '../platform/http/contract.ts'

const unchanged = { description: 'Not modified.' } as const
const html = textContent('text/html', '<!DOCTYPE html>\n')

/** The part of the path that names the page. */
const Name = Type.String({ description: 'The name of the page.' })

export const guideStartContract = {
  id: 'getGuideStart',
  method: 'GET',
  path: '/docs/guide',
  tag: 'Operation',
  summary: 'Open the documentation',
  description: 'The start page of this release’s documentation. Its pages load resources only from this service.',
  permission: 'public',
  answers: { 200: { description: 'HTML', content: html }, 304: unchanged },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guidePageContract = {
  id: 'getGuidePage',
  method: 'GET',
  path: '/docs/guide/{page}',
  tag: 'Operation',
  summary: 'Get a documentation page',
  description: 'Such as `/docs/guide/signing-in`.',
  permission: 'public',
  params: object({ page: Name }),
  answers: {
    200: {
      description: 'HTML, or `hashmap.json`, which an open page reads to find the files of a newer release',
      content: {
        ...html,
        'application/json': {
          schema: Type.Unknown(),
          examples: { map: { summary: 'The page does not exist', value: {} } },
        },
      },
    },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guideSectionContract = {
  id: 'getGuideSectionPage',
  method: 'GET',
  path: '/docs/guide/{section}/{page}',
  tag: 'Operation',
  summary: 'Get a documentation page of a section',
  description: 'Such as `/docs/guide/decisions/mail`. Below `files/`: files that the documentation refers to.',
  permission: 'public',
  params: object({ section: Name, page: Name }),
  answers: {
    200: { description: 'HTML, or the plain file', content: { ...html, ...textContent('text/plain', '[Unit]\n') } },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guideAssetContract = {
  id: 'getGuideAsset',
  method: 'GET',
  path: '/docs/guide/assets/{file}',
  tag: 'Operation',
  summary: 'Get a file of the documentation',
  description: 'A script or a style. The name changes with the content, so the file can be cached forever.',
  permission: 'public',
  params: object({ file: Name }),
  answers: {
    200: {
      description: 'The file',
      content: { ...textContent('text/javascript', 'import{'), ...textContent('text/css', ':root{') },
    },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guideChunkContract = {
  id: 'getGuideChunk',
  method: 'GET',
  path: '/docs/guide/assets/chunks/{file}',
  tag: 'Operation',
  summary: 'Get a shared script of the documentation',
  description:
    'The name changes with the content, so the file can be cached forever. One of the files is the search index.',
  permission: 'public',
  params: object({ file: Name }),
  answers: { 200: { description: 'The script', content: textContent('text/javascript', 'import{') }, 304: unchanged },
  problems: ['route_unknown'],
} as const satisfies OperationContract

/** Assets before sections: tests match a path against the first contract that fits. */
export const guideContracts: readonly OperationContract[] = [
  guideStartContract,
  guidePageContract,
  guideAssetContract,
  guideChunkContract,
  guideSectionContract,
]
