import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { DAY_MS } from '#lib/durations.ts'

const TEXT_FILE = /\.(?:js|css|svg)$/
/** Folder with the Brotli copies of earlier builds, named by the hashes of their assets. */
const CACHE = join('node_modules', '.cache', 'brotli')
/** Age of a copy from which a build without its asset removes it. */
const MAX_AGE_MS = DAY_MS

/** Writes a Brotli and a gzip copy of each asset at maximum compression, which the server sends unchanged. */
export function precompress(): Plugin {
	return {
		name: 'precompress',
		apply: 'build',
		// Reads the folder, because other plugins change and rename entries of the bundle.
		writeBundle({ dir = '' }) {
			const folder = join(dir, 'assets')
			mkdirSync(CACHE, { recursive: true })
			const used = new Set<string>()
			for (const name of readdirSync(folder).filter((file) => TEXT_FILE.test(file))) {
				const path = join(folder, name)
				const bytes = readFileSync(path)
				const key = createHash('sha256').update(bytes).digest('hex')
				used.add(key)
				writeFileSync(`${path}.br`, brotli(bytes, key))
				writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
			}
			removeUnused(used)
		},
	}
}

/** Compresses an asset, unless an earlier build had it too: this takes half the processor time of a build. */
function brotli(bytes: Buffer, key: string): Buffer {
	const kept = join(CACHE, key)
	if (existsSync(kept)) return readFileSync(kept)
	const packed = brotliCompressSync(bytes)
	// Another build may read the copy at any moment.
	const fresh = `${kept}.${process.pid}`
	writeFileSync(fresh, packed)
	renameSync(fresh, kept)
	return packed
}

/** Removes copies without an asset in this build, except those that another build may be using now. */
function removeUnused(used: Set<string>): void {
	for (const name of readdirSync(CACHE)) {
		const path = join(CACHE, name)
		const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {}
		if (!used.has(name) && Date.now() - mtimeMs > MAX_AGE_MS) rmSync(path, { force: true })
	}
}
