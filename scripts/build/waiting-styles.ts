import type { Plugin } from 'vite'

/**
 * Keeps the page's own stylesheets inactive until `main.tsx` enables them, because a browser paints nothing before active
 * stylesheets are loaded. They stay in the head before the stylesheets of the screens, which therefore come later in the
 * cascade.
 */
export function waitingStyles(): Plugin {
	return {
		name: 'waiting-styles',
		apply: 'build',
		transformIndexHtml: {
			order: 'post',
			// Browsers load inactive stylesheets last; the preload starts them with the first files.
			handler: (html) =>
				html.replace(
					/<link rel="stylesheet"([^>]*)>/g,
					'<link rel="preload" as="style"$1>\n\t\t<link rel="stylesheet" media="not all"$1>',
				),
		},
	}
}
