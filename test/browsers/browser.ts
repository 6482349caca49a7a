import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'

/** Path of Chromium's headless shell, which needs a fifth less processor time than the full browser. */
const SHELL = '/usr/bin/chromium-headless-shell'

const places = [
	SHELL,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

function findChromium(): string | undefined {
	const given = process.env.CHROME_PATH
	if (given && !existsSync(given)) throw new Error(`CHROME_PATH names ${given}, which does not exist.`)
	return given || [...places, chromium.executablePath()].find((path) => path && existsSync(path))
}

/**
 * Returns the path of a Chromium or Chrome. Installs Debian's, or else Playwright's, if there is none; throws if
 * neither can be installed.
 */
export async function ensureChromium(): Promise<string> {
	const found = findChromium()
	if (found) return found
	console.log('Installing Chromium for the browser tests …')
	if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
		await run('apt-get', ['update'])
		for (const name of ['chromium-headless-shell', 'chromium'])
			if (!findChromium()) await run('apt-get', ['install', '-y', '--no-install-recommends', name])
	}
	const cli = new URL('../../node_modules/playwright-core/cli.js', import.meta.url).pathname
	if (!findChromium()) await run(process.execPath, [cli, 'install', 'chromium'])
	const installed = findChromium()
	if (installed) return installed
	throw new Error(
		'The browser tests need Chromium: run "sudo apt-get install -y chromium", or set CHROME_PATH to a Chrome of yours.',
	)
}

/** Resolves when the program has ended, with any exit code: the caller checks for the installed browser. */
async function run(command: string, args: string[]) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
	const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 })
	await once(child, 'close').catch(() => {})
}

const FEATURES_OFF = [
	// With these features Chromium opens two internal pages for the address bar with each page, a third of its work.
	'WebUIOmniboxPopup',
	'WebUIOmniboxAimPopup',
	// Features that Playwright disables too: Chromium reads only the last of two lists.
	'AimEnabled',
	'AvoidCorsURLLoaderRestartOnRedirect',
	'AvoidUnnecessaryBeforeUnloadCheckSync',
	'DestroyProfileOnBrowserClose',
	'HttpsFirstBalancedModeAutoEnable',
	'HttpsUpgrades',
	'LensOverlay',
	'MediaRouter',
	'NetworkTimeServiceQuerying',
	'OptimizationHints',
	'PaintHolding',
	'PreconnectToSearch',
	'ThirdPartyStoragePartitioning',
]

/** Starts a browser without a window, with these flags. Chromium's sandbox refuses root, and containers have little shared memory. */
export async function launchBrowser(flags: string[] = []): Promise<Browser> {
	const asRoot = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : []
	const args = [`--disable-features=${FEATURES_OFF.join()}`, ...asRoot, ...flags]
	return chromium.launch({ executablePath: await ensureChromium(), args })
}

/** Maximum time that a test waits for its browser to close. Node ends the browser when the test's process exits. */
const CLOSE_MS = 20_000

/** Closes the browser. Resolves after CLOSE_MS at the latest: Chromium may hang while it stops, and Playwright waits without limit. */
export async function closeBrowser(browser: Browser): Promise<void> {
	await Promise.race([browser.close(), sleep(CLOSE_MS, undefined, { ref: false })])
}
