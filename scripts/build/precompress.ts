import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT_FILE = /\.(?:js|css|svg)$/

/** Writes each asset a second and a third time, compressed by Brotli and gzip at their best, for the server to send as it is. */
export function precompress(): Plugin {
	return {
		name: 'precompress',
		apply: 'build',
		// From the folder, not the bundle: other plugins change and rename what is in the bundle.
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
