import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
	plugins: [react(), purgeUnusedMantineRules()],
	build: { outDir: 'dist/web', manifest: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})

/**
 * Mantine ships one stylesheet for all its components, and names each class by a hash ("m_77c9d27d") that stands
 * in the JavaScript of the component as well. A rule whose hash is in no chunk belongs to a component that we do not use.
 */
function purgeUnusedMantineRules(): Plugin {
	return {
		name: 'purge-unused-mantine-rules',
		apply: 'build',
		enforce: 'post',
		generateBundle: {
			order: 'post',
			handler(_, bundle) {
				const files = Object.values(bundle)
				const used = new Set<string>()
				for (const file of files)
					if (file.type === 'chunk') for (const [hash] of file.code.matchAll(/m_[0-9a-f]{4,8}/g)) used.add(hash)
				for (const file of files) {
					if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
					const before = String(file.source)
					const after = keepUsedRules(before, used)
					if (after === before) continue
					const oldName = file.fileName
					// The name must follow the purged text, as browsers keep a hashed file for ever.
					const newName = oldName.replace(/-[\w-]{8}\.css$/, `-${hashOf(after)}.css`)
					file.source = after
					file.fileName = newName
					for (const other of files) {
						if (other.type === 'chunk') other.code = other.code.replaceAll(oldName, newName)
						else if (/\.(html|json)$/.test(other.fileName))
							other.source = String(other.source).replaceAll(oldName, newName)
					}
				}
			},
		},
	}
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Walks minified CSS rule by rule; rules inside `@media` and its like are walked in turn. */
function keepUsedRules(css: string, used: ReadonlySet<string>): string {
	let kept = ''
	let start = 0
	while (start < css.length) {
		const open = nextOutsideQuotes(css, start, '{;')
		if (open < 0) return kept + css.slice(start)
		if (css[open] === ';') {
			kept += css.slice(start, open + 1)
			start = open + 1
			continue
		}
		const end = closingBrace(css, open)
		kept += keepRule(css.slice(start, open), css.slice(open + 1, end), used)
		start = end + 1
	}
	return kept
}

function keepRule(head: string, body: string, used: ReadonlySet<string>): string {
	if (/^\s*@(media|supports|container|layer)/.test(head)) {
		const inner = keepUsedRules(body, used)
		return inner.trim() ? `${head}{${inner}}` : ''
	}
	if (head.trim().startsWith('@')) return `${head}{${body}}`
	const selectors = splitSelectors(head).filter((selector) => isUsed(selector, used))
	return selectors.length > 0 ? `${selectors.join(',')}{${body}}` : ''
}

function isUsed(selector: string, used: ReadonlySet<string>): boolean {
	// What `:where(.m_a, .m_b)` and `:not(.m_a)` name are alternatives, so that only the plain classes decide.
	const plain = selector.replace(/:(not|where|is)\((?:[^()]|\([^()]*\))*\)/g, '')
	return [...plain.matchAll(/\.(m_[0-9a-f]{4,8})/g)].every(([, hash]) => used.has(hash ?? ''))
}

function splitSelectors(head: string): string[] {
	const parts: string[] = []
	let depth = 0
	let from = 0
	for (let i = 0; i < head.length; i++) {
		if (head[i] === '(') depth++
		else if (head[i] === ')') depth--
		else if (head[i] === ',' && depth === 0) {
			parts.push(head.slice(from, i))
			from = i + 1
		}
	}
	return [...parts, head.slice(from)]
}

function nextOutsideQuotes(css: string, from: number, wanted: string): number {
	let quote = ''
	for (let i = from; i < css.length; i++) {
		const char = css[i] ?? ''
		if (quote) {
			if (char === '\\') i++
			else if (char === quote) quote = ''
		} else if (char === '"' || char === "'") quote = char
		else if (wanted.includes(char)) return i
	}
	return -1
}

function closingBrace(css: string, open: number): number {
	let depth = 0
	let at = open
	while (at >= 0) {
		depth += css[at] === '{' ? 1 : -1
		if (depth === 0) return at
		at = nextOutsideQuotes(css, at + 1, '{}')
	}
	return css.length
}
