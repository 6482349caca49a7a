import type { Plugin } from 'vite'

const ROOT_FONT_PX = 16

/**
 * Converts text sizes from pixels to rem, as Mantine's are, so that texts follow the browser's font size setting. At the
 * default setting nothing changes.
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
