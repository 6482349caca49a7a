import * as z from 'zod/mini'

const AppConfig = z.object({ simulator: z.boolean(), landing: z.enum(['redirect', 'page']) })

/** What the server wrote into the page. Without it (a page opened by another way) the cautious reading holds. */
function readConfig(): z.output<typeof AppConfig> {
	const text = document.getElementById('app-config')?.textContent ?? ''
	try {
		return z.parse(AppConfig, JSON.parse(text))
	} catch {
		return { simulator: false, landing: 'redirect' }
	}
}

export const appConfig = readConfig()
