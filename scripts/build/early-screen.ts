import type { Plugin } from 'vite'

/** Name of the file that maps addresses to screens. */
export const SCREENS = 'screens'

/** Returns the Vite plugin that puts the file `SCREENS` before the page's other scripts, which are many times larger. */
export function earlyScreen(): Plugin {
	return {
		name: 'early-screen',
		apply: 'build',
		transformIndexHtml: {
			order: 'post',
			handler(_html, { bundle = {} }) {
				const file = Object.values(bundle).find(({ name }) => name === SCREENS)
				if (!file) throw new Error('The build has no file of its own for the screens')
				const attrs = { type: 'module', crossorigin: true, src: `/${file.fileName}` }
				return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
			},
		},
	}
}
