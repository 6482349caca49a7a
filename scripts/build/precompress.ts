import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT_FILE = /\.(?:js|css|svg)$/

/** Writes a Brotli and a gzip copy of each asset at maximum compression, which the server sends unchanged. */
export function precompress(): Plugin {
	return {
		name: 'precompress',
		apply: 'build',
		// Reads the folder, because other plugins change and rename entries of the bundle.
		writeBundle({ dir = '' }) {
			const folder = join(dir, 'assets')
			for (const name of readdirSync(folder).filter((file) => TEXT_FILE.test(file))) {
				const path = join(folder, name)
				const bytes = readFileSync(path)
				writeFileSync(`${path}.br`, brotliCompressSync(bytes))
				writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
			}
		},
	}
}
