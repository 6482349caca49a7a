import type { Plugin } from 'vite'

/** Names of the files with the styles of Mantine's components and of the app, in the order of the cascade. */
export const FIRST_STYLES = ['component-styles', 'app-styles'] as const

/**
 * Keeps the page's own stylesheets inactive until `main.tsx` enables them, because a browser paints nothing before active
 * stylesheets are loaded. They stay in the head before the stylesheets of the screens, which therefore come later in the
 * cascade; the first are `FIRST_STYLES`.
 */
export function waitingStyles(): Plugin {
	return {
		name: 'waiting-styles',
		apply: 'build',
		transformIndexHtml: {
			order: 'post',
			handler(html) {
				const links = (html.match(/<link rel="stylesheet"[^>]*>/g) ?? []).toSorted((a, b) => rankOf(a) - rankOf(b))
				// Browsers load inactive stylesheets last; the preload starts them with the first files.
				return html.replace(/<link rel="stylesheet"[^>]*>/g, () => {
					const link = links.shift() ?? ''
					const preload = link.replace('rel="stylesheet"', 'rel="preload" as="style"')
					return `${preload}\n\t\t${link.replace('rel="stylesheet"', 'rel="stylesheet" media="not all"')}`
				})
			},
		},
	}
}

function rankOf(link: string): number {
	const rank = FIRST_STYLES.findIndex((name) => link.includes(`/${name}-`))
	return rank < 0 ? FIRST_STYLES.length : rank
}
