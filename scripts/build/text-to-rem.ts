import type { Plugin } from 'vite'

const ROOT_FONT_PX = 16

/**
 * Styles are written in pixels. The sizes of texts are built in rem, as Mantine's are: then they grow with the font size
 * that somebody has set in the browser, and at the usual one nothing changes.
 */
export function growTexts(): Plugin {
	return {
		name: 'grow-texts',
		enforce: 'pre',
		transform(code, id) {
			return /\/src\/.*\.css$/.test(id) ? { code: textToRem(code), map: null } : undefined
		},
	}
}

export function textToRem(css: string): string {
	return css.replace(
		/((?:font-size|line-height):\s*)([\d.]+)px/g,
		(_, property: string, px: string) => `${property}${Number(px) / ROOT_FONT_PX}rem`,
	)
}
