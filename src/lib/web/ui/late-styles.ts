/** Name of the build's file with the app's own styles, which come later in the cascade than the late ones. */
const OWN_STYLES = 'app-styles'
/** Longest wait in milliseconds; the page is usable without the styles. */
const MAX_WAIT_MS = 15_000

let address = ''
let loaded: Promise<void> | undefined

/** Sets the address of the stylesheet that the first screen does without. */
export function setLateStyles(url: string): void {
	address = url
}

/** Loads the late stylesheet with its first call. Resolves when it has loaded or failed. */
export function loadLateStyles(): Promise<void> {
	return (loaded ??= new Promise((resolve) => {
		const link = document.createElement('link')
		link.rel = 'stylesheet'
		link.href = address
		for (const event of ['load', 'error']) link.addEventListener(event, () => resolve(), { once: true })
		setTimeout(resolve, MAX_WAIT_MS)
		const own = document.querySelector(`link[rel="stylesheet"][href*="/${OWN_STYLES}-"]`)
		if (own) own.before(link)
		else document.head.append(link)
	}))
}
