import type { Plugin } from 'vite'

/**
 * Makes the page's own stylesheets wait for `main.tsx` to switch them on: a browser paints nothing before those that apply.
 * They keep their place in the head, before those of the screens, which thereby come later in the cascade.
 */
export function waitingStyles(): Plugin {
	return {
		name: 'waiting-styles',
		apply: 'build',
		transformIndexHtml: {
			order: 'post',
			// Fetched with the first all the same: what does not apply comes last otherwise.
			handler: (html) =>
				html.replace(
					/<link rel="stylesheet"([^>]*)>/g,
					'<link rel="preload" as="style"$1>\n\t\t<link rel="stylesheet" media="not all"$1>',
				),
		},
	}
}
