import * as z from 'zod/mini'

const AppConfig = z.object({
	simulator: z.boolean(),
	phonesUrl: z.nullable(z.string()),
	landing: z.enum(['redirect', 'page']),
	supportContact: z.nullable(z.string()),
})

/** The configuration that the server writes into the page. Without it, as with a page from vite, the defaults below apply. */
function readConfig(): z.output<typeof AppConfig> {
	const text = document.getElementById('app-config')?.textContent ?? ''
	try {
		return z.parse(AppConfig, JSON.parse(text))
	} catch {
		return { simulator: false, phonesUrl: null, landing: 'redirect', supportContact: null }
	}
}

export const appConfig = readConfig()
