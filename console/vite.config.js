import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run build` writes `dist/index.html`, and beside it the files with their hashes, which the service serves as they lie there. */
export default defineConfig({
  plugins: [react()],
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    assetsDir: 'console/assets',
    // No file is inlined as a data: address, and no polyfill is added: the content security policy allows this service's files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
    target: 'es2023',
  },
  // `npx vite console` beside `npm start`: the page is rebuilt while it is written.
  server: { proxy: { '^/(api|auth|console/(session|sign-in-options)|readyz|openapi.json)': 'http://localhost:4600' } },
})
