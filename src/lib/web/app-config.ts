import type { PageConfig } from '#lib/page-config.ts'

/** Returns the settings in the page; the defaults below for a page without them, as in tests of components. */
function readConfig(): PageConfig {
	const text = document.getElementById('app-config')?.textContent ?? ''
	try {
		// The server that delivers this script writes the settings as a `PageConfig`, so they are not checked again.
		return JSON.parse(text) as PageConfig
	} catch {
		return { simulator: false, phonesUrl: null, landing: 'redirect', supportContact: null, addMoney: false }
	}
}

export const appConfig = readConfig()
