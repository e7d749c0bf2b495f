import Type from 'typebox'
import { type OperationContract, object, textContent } from '../platform/http/contract.ts'

const unchanged = { description: 'The reader’s copy is the present one.' } as const
const html = textContent('text/html', '<!DOCTYPE html>\n')

/** Named as the site names it. */
const Name = Type.String({ description: 'As the site names it.' })

export const guideStartContract = {
  id: 'getGuideStart',
  method: 'GET',
  path: '/docs/guide',
  tag: 'Operation',
  summary: 'The documentation of this release',
  description: 'The first page of the documentation. Its pages load resources of this service only.',
  permission: 'public',
  answers: { 200: { description: 'HTML', content: html }, 304: unchanged },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guidePageContract = {
  id: 'getGuidePage',
  method: 'GET',
  path: '/docs/guide/{page}',
  tag: 'Operation',
  summary: 'A page of the documentation',
  description: 'Such as `/docs/guide/signing-in`.',
  permission: 'public',
  params: object({ page: Name }),
  answers: {
    200: {
      description: 'HTML; and `hashmap.json`, by which an open page finds the files of a newer release',
      content: {
        ...html,
        'application/json': { schema: Type.Unknown(), examples: { map: { summary: 'No page', value: {} } } },
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
  summary: 'A page of a section of the documentation',
  description: 'Such as `/docs/guide/decisions/mail`; and below `files/`, what a page tells its reader to copy.',
  permission: 'public',
  params: object({ section: Name, page: Name }),
  answers: {
    200: {
      description: 'HTML, or a file as it is',
      content: { ...html, ...textContent('text/plain', '[Unit]\n') },
    },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

export const guideAssetContract = {
  id: 'getGuideAsset',
  method: 'GET',
  path: '/docs/guide/assets/{file}',
  tag: 'Operation',
  summary: 'A file that the documentation loads',
  description: 'A script or a style. The name changes with the content, so that it can be stored for ever.',
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
  summary: 'A script that several pages of the documentation load',
  description: 'The name changes with the content, so that it can be stored for ever. One is the index of the search.',
  permission: 'public',
  params: object({ file: Name }),
  answers: {
    200: { description: 'The script', content: textContent('text/javascript', 'import{') },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

/** An asset before a section: the first contract whose path fits is the one of an address. */
export const guideContracts: readonly OperationContract[] = [
  guideStartContract,
  guidePageContract,
  guideAssetContract,
  guideChunkContract,
  guideSectionContract,
]
