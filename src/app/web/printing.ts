import { formatDateTime } from '#lib/dates.ts'

const SCHEME = 'data-mantine-color-scheme'

/** Before the browser prints: light colours, and the line that print.css puts above the page. Afterwards all is as it was. */
export function preparePrinting(): void {
	const { documentElement: root, body } = document
	// Not needed for anything on the screen.
	void import('./print.css')
	let scheme: string | null = null
	window.addEventListener('beforeprint', () => {
		scheme ??= root.getAttribute(SCHEME)
		root.setAttribute(SCHEME, 'light')
		body.dataset['printed'] = `${document.title}, printed on ${formatDateTime(new Date().toISOString())}`
	})
	window.addEventListener('afterprint', () => {
		if (scheme) root.setAttribute(SCHEME, scheme)
		scheme = null
		delete body.dataset['printed']
	})
}
