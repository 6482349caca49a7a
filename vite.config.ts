import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { precompress } from './scripts/build/precompress.ts'
import { growTexts } from './scripts/build/text-to-rem.ts'
import { waitingStyles } from './scripts/build/waiting-styles.ts'

/**
 * What comes in one file. Left alone, the build makes one of each few modules that the same screens share: 120 for a first
 * page, and each costs a round trip where a browser asks for six at a time.
 */
const FILES: Rolldown.CodeSplittingGroup[] = [
	{ name: 'start', tags: ['$initial'], priority: 1 },
	{ name: 'icons', test: /@tabler/, minShareCount: 2 },
	{ name: 'shared', minShareCount: 25, entriesAware: true, entriesAwareMergeThreshold: 30_000 },
]

export default defineConfig({
	plugins: [react(), growTexts(), waitingStyles(), precompress()],
	build: {
		outDir: 'dist/web',
		manifest: true,
		target: 'es2023',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 700,
		rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
	},
})
