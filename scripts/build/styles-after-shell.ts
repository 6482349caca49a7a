import type { Plugin } from 'vite'

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Moves the page's stylesheets behind its content: a browser paints what stands before them without waiting for them, and
 * runs the app's scripts only once they are there.
 */
export function stylesAfterShell(): Plugin {
	return {
		name: 'styles-after-shell',
		apply: 'build',
		transformIndexHtml: {
			order: 'post',
			handler: (html) =>
				html.replace(STYLESHEET, '').replace('</body>', `${html.match(STYLESHEET)?.join('') ?? ''}\n\t</body>`),
		},
	}
}
