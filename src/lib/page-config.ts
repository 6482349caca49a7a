/** Settings that the server writes into the page. The web app reads them before sign-in. */
export interface PageConfig {
	/** True when the simulated network replaces Meta. */
	simulator: boolean
	/** URL of the demo's phones, which show received messages; null outside the demo. */
	phonesUrl: string | null
	/** The page that a visitor gets at `/`: the sign-in page by a redirect, or the page about the product. */
	landing: 'redirect' | 'page'
	/** Contact that users are asked to turn to; null without one. */
	supportContact: string | null
	/** True when users can add money online. */
	addMoney: boolean
}
