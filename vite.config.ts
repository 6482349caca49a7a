import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { growWithFontSize } from './scripts/build/px-to-rem.ts'
import { purgeUnusedMantineRules } from './scripts/build/purge-mantine.ts'

export default defineConfig({
	plugins: [react(), growWithFontSize(), purgeUnusedMantineRules()],
	build: { outDir: 'dist/web', manifest: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})
