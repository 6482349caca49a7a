import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { purgeUnusedMantineRules } from './scripts/build/purge-mantine.ts'
import { growTexts } from './scripts/build/text-to-rem.ts'

export default defineConfig({
	plugins: [react(), growTexts(), purgeUnusedMantineRules()],
	build: { outDir: 'dist/web', manifest: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})
