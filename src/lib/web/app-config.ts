/** Settings that the server embeds in the page. */
interface AppConfig {
	simulator: boolean
	phonesUrl: string | null
	landing: 'redirect' | 'page'
	supportContact: string | null
	addMoney: boolean
}

/**
 * Reads the configuration that the server embeds in the page. Falls back to the defaults below, as on vite's
 * development server.
 */
function readConfig(): AppConfig {
	const text = document.getElementById('app-config')?.textContent ?? ''
	try {
		return JSON.parse(text) as AppConfig
	} catch {
		return { simulator: false, phonesUrl: null, landing: 'redirect', supportContact: null, addMoney: false }
	}
}

export const appConfig = readConfig()
