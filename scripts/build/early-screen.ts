import type { Plugin } from 'vite'

/** The name of the file that says which screen stands at which address. */
export const SCREENS = 'screens'

/** Makes the page run that file before the others, which are many times as large. */
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
