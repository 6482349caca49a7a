import type { Plugin } from 'vite'

const ROOT_FONT_PX = 16
/** Borders, rings and shadows stay as thin as they are. */
const MIN_PX = 4

/**
 * Styles are written in pixels and built in rem, as Mantine's are: then everything grows with the font size that somebody
 * has set in the browser, and at the usual one nothing changes.
 */
export function growWithFontSize(): Plugin {
	return {
		name: 'grow-with-font-size',
		enforce: 'pre',
		transform(code, id) {
			return /\/src\/.*\.css$/.test(id) ? { code: toRem(code), map: null } : undefined
		},
	}
}

/** Every length of a declaration, from 4 px on. The conditions of `@media` are left alone: they are in em already. */
export function toRem(css: string): string {
	return css.replace(/:[^;{}]*;/g, (declaration) =>
		declaration.replace(/(?<![\w.])(\d*\.?\d+)px\b/g, (length, px: string) =>
			Number(px) < MIN_PX ? length : `${Number(px) / ROOT_FONT_PX}rem`,
		),
	)
}
