import * as z from 'zod/mini'

const AppConfig = z.object({
	simulator: z.boolean(),
	phonesUrl: z.nullable(z.string()),
	landing: z.enum(['redirect', 'page']),
	supportContact: z.nullable(z.string()),
	addMoney: z.boolean(),
})

/**
 * Reads the configuration that the server embeds in the page. Falls back to the defaults below, as on vite's
 * development server.
 */
function readConfig(): z.output<typeof AppConfig> {
	const text = document.getElementById('app-config')?.textContent ?? ''
	try {
		return z.parse(AppConfig, JSON.parse(text))
	} catch {
		return { simulator: false, phonesUrl: null, landing: 'redirect', supportContact: null, addMoney: false }
	}
}

export const appConfig = readConfig()
