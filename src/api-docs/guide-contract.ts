import Type from 'typebox'
import { contract, object, text, textContent, unchanged } from '../platform/http/contract.ts'

const html = textContent('text/html', '<!DOCTYPE html>\n')

/** The part of the path that names the page. */
const Name = text('The name of the page.')

export const guideContracts = {
  start: contract('GET /docs/guide', 'public', {
    id: 'getGuideStart',
    tag: 'Operation',
    summary: 'Open the documentation',
    description: 'The start page of this release’s documentation. Its pages load resources only from this service.',
    answers: { 200: { description: 'HTML', content: html }, 304: unchanged },
    problems: ['route_unknown'],
  }),
  page: contract('GET /docs/guide/{page}', 'public', {
    id: 'getGuidePage',
    tag: 'Operation',
    summary: 'Get a documentation page',
    description: 'Such as `/docs/guide/signing-in`.',
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
  }),
  asset: contract('GET /docs/guide/assets/{file}', 'public', {
    id: 'getGuideAsset',
    tag: 'Operation',
    summary: 'Get a file of the documentation',
    description: 'A script or a style. The name changes with the content, so the file can be cached forever.',
    params: object({ file: Name }),
    answers: {
      200: {
        description: 'The file',
        content: { ...textContent('text/javascript', 'import{'), ...textContent('text/css', ':root{') },
      },
      304: unchanged,
    },
    problems: ['route_unknown'],
  }),
  chunk: contract('GET /docs/guide/assets/chunks/{file}', 'public', {
    id: 'getGuideChunk',
    tag: 'Operation',
    summary: 'Get a shared script of the documentation',
    description:
      'The name changes with the content, so the file can be cached forever. One of the files is the search index.',
    params: object({ file: Name }),
    answers: { 200: { description: 'The script', content: textContent('text/javascript', 'import{') }, 304: unchanged },
    problems: ['route_unknown'],
  }),
  section: contract('GET /docs/guide/{section}/{page}', 'public', {
    id: 'getGuideSectionPage',
    tag: 'Operation',
    summary: 'Get a documentation page of a section',
    description: 'Such as `/docs/guide/decisions/mail`. Below `files/`: files that the documentation refers to.',
    params: object({ section: Name, page: Name }),
    answers: {
      200: { description: 'HTML, or the plain file', content: { ...html, ...textContent('text/plain', '[Unit]\n') } },
      304: unchanged,
    },
    problems: ['route_unknown'],
  }),
}
