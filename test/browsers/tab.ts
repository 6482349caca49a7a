import { setTimeout as sleep } from 'node:timers/promises'

/** One tab of a browser with the actions of the journey. XPath names elements, because every driver supports it. */
export interface Tab {
	open(path: string): Promise<void>
	/** Waits until the element is visible. */
	see(xpath: string, timeoutMs?: number): Promise<void>
	/** Waits until no such element has been visible for half a second. */
	seeNone(xpath: string): Promise<void>
	click(xpath: string): Promise<void>
	/** Replaces the text of a field. */
	fill(xpath: string, text: string): Promise<void>
	/** Selects a file in a file input, which may be hidden. */
	choose(xpath: string, path: string): Promise<void>
	screenshot(path: string): Promise<void>
	/** Returns the errors and warnings of the console, uncaught errors and failed requests so far. */
	errors(): Promise<string[]>
	close(): Promise<void>
}

export interface TabOptions {
	/** Origin of the product: http://127.0.0.1:<port> */
	origin: string
	size: { width: number; height: number }
}

export interface TestedBrowser {
	name: string
	/** Returns the name of the package to install if the browser or its driver is missing, otherwise null. */
	missing(): string | null
	open(options: TabOptions): Promise<Tab>
}

/** Maximum time for an element to appear on a busy machine. */
export const SEE_TIMEOUT_MS = 30_000

const quoted = (text: string) => `"${text}"`
const named = (name: string) => `[normalize-space(.)=${quoted(name)} or @aria-label=${quoted(name)}]`

export const button = (name: string) => `//button${named(name)}`
export const link = (name: string) => `//a${named(name)}`
export const menuItem = (name: string) => `//*[starts-with(@role, "menuitem")]${named(name)}`
/** Returns the XPath of the first option of an open list whose text has this start. */
export const option = (start: string) => `(//*[@role="option"][starts-with(normalize-space(.), ${quoted(start)})])[1]`
/** Returns the XPath of the innermost element that contains this text. */
export const text = (words: string, inside = '//body') =>
	`(${inside}//*[not(self::script)]/text()[contains(., ${quoted(words)})]/..)[1]`
export const heading = (words: string) => `//*[self::h1 or self::h2][normalize-space(.)=${quoted(words)}]`
/** Returns the XPath of the field whose label has this start; labels of required fields end with an asterisk. */
export const field = (label: string) =>
	`//*[@id=//label[starts-with(normalize-space(.), ${quoted(label)})]/@for or @aria-label=${quoted(label)}]`
export const radio = (label: string) => `//label[normalize-space(.)=${quoted(label)}]`
export const FILE_INPUT = '//input[@type="file"]'
export const LOADING = [
	'//*[contains(@class, "Skeleton") and @data-visible]',
	'//*[@role="status"][starts-with(@aria-label, "Loading")]',
	'//*[text()="Loading..."]',
].join(' | ')

const QUIET_MS = 500
const POLL_INTERVAL_MS = 50

/** Resolves when the element has been absent for half a second: a skeleton appears only after a moment. */
export async function untilGone(xpath: string, isThere: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + SEE_TIMEOUT_MS
	let goneSince = Date.now()
	while (Date.now() - goneSince < QUIET_MS) {
		if (await isThere()) goneSince = Date.now()
		if (Date.now() > deadline) throw new Error(`${xpath} is still there`)
		await sleep(POLL_INTERVAL_MS)
	}
}
