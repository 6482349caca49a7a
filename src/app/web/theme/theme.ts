import {
	createTheme,
	defaultVariantColorsResolver,
	localStorageColorSchemeManager,
	type CSSVariablesResolver,
} from '@mantine/core'
import { dark, gray, green, marigold, red, tokens } from './colours.ts'
import { components } from './theme-components.ts'

const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Devanagari', sans-serif"

export const theme = createTheme({
	colors: { green, marigold, red, gray, dark },
	primaryColor: 'green',
	primaryShade: { light: 7, dark: 6 },
	black: tokens.light.text,
	fontFamily: FONTS,
	headings: { fontFamily: FONTS },
	// In rem, so that texts follow the browser's font size: 12, 14, 14, 16 and 20 px.
	fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
	lineHeights: { xs: '1.334', sm: '1.4286', md: '1.4286', lg: '1.5', xl: '1.4' },
	spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
	radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
	defaultRadius: 'md',
	breakpoints: { xs: '25em', sm: '40em', md: '56.25em', lg: '64em', xl: '80em' },
	cursorType: 'pointer',
	respectReducedMotion: true,
	variantColorResolver: (input) => {
		const colors = defaultVariantColorsResolver(input)
		// A red outline must be readable on a dark surface too.
		if (input.variant === 'outline' && input.color === 'red')
			return { ...colors, color: 'var(--app-danger-text)', border: '1px solid var(--app-danger-text)' }
		return colors
	},
	components,
})

/** Defines the product's tokens as `--app-…`, and the Mantine tokens that components read. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
	variables: {},
	light: variablesOf('light'),
	dark: variablesOf('dark'),
})

function variablesOf(scheme: 'light' | 'dark'): Record<string, string> {
	const colours = tokens[scheme]
	const own = Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--app-${name}`, value]))
	return {
		...own,
		'--mantine-color-text': colours.text,
		'--mantine-color-body': colours.surface,
		'--mantine-color-dimmed': colours.secondary,
		'--mantine-color-placeholder': colours.placeholder,
		'--mantine-color-anchor': colours.link,
		'--mantine-color-error': colours['danger-text'],
		'--mantine-color-default': colours.surface,
		'--mantine-color-default-hover': colours.hover,
		'--mantine-color-default-color': colours.text,
		'--mantine-color-default-border': colours['input-border'],
		'--mantine-color-disabled': colours.raised,
		'--mantine-color-disabled-color': colours.placeholder,
		'--mantine-color-disabled-border': colours.hairline,
	}
}

/**
 * Stores the choice of System, Light or Dark under the key that the script in index.html reads before the first paint.
 */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme' })
