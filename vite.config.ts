import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './scripts/build/precompress.ts'
import { growTexts } from './scripts/build/text-to-rem.ts'

export default defineConfig({
	plugins: [react(), growTexts(), precompress()],
	build: { outDir: 'dist/web', manifest: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})
