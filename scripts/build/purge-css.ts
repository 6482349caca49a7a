/**
 * Removes the rules of minified CSS whose selectors name a Mantine class that is not among `used`. Rules inside `@media`,
 * `@supports`, `@container` and `@layer` are filtered too; other at-rules are kept as they are.
 */
export function keepUsedRules(css: string, used: ReadonlySet<string>): string {
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

/** Mantine's own colours, which come as some 38 variables each, for the two colour schemes. */
const MANTINE_HUES = ['blue', 'cyan', 'grape', 'indigo', 'lime', 'orange', 'pink', 'teal', 'violet', 'yellow']

/** Removes the variables of those of Mantine's colours that neither `code` (as `color: 'pink'`) nor another rule uses. */
export function dropUnusedHues(css: string, code: string): string {
	return MANTINE_HUES.reduce((kept, hue) => {
		const without = kept.replace(new RegExp(`--mantine-color-${hue}-[a-z0-9-]+:[^;{}]*(;|(?=}))`, 'g'), '')
		const isRead = `${without}${code}`.includes(`var(--mantine-color-${hue}-`)
		return isRead || new RegExp(`color:\\s*["'\`]${hue}["'\`]`).test(code) ? kept : without
	}, css)
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
