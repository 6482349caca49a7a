import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver'
import { findFreePort } from '#test/free-port.ts'
import { startConsoleProxy } from './console-proxy.ts'
import { SEE_TIMEOUT_MS, untilGone, type Tab, type TabOptions, type TestedBrowser } from './tab.ts'

const DRIVER = 'WebKitWebDriver'
/** Program that provides a virtual screen on machines without one: WebKitGTK always has a window. */
const VIRTUAL_SCREEN = 'xvfb-run'
const POLL_INTERVAL_MS = 100

const hasScreen = () => Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)
const isInstalled = (program: string) =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** WebKitGTK in its small browser; on Linux it has the engine of Safari. */
export const webkit: TestedBrowser = {
	name: 'webkit',
	missing: () =>
		isInstalled(DRIVER) && (hasScreen() || isInstalled(VIRTUAL_SCREEN))
			? null
			: 'Install WebKitGTK, its driver and a virtual screen: "sudo apt-get install -y webkit2gtk-driver xvfb xauth". They exist only for Linux.',
	open: openTab,
}

async function openTab({ origin, size }: TabOptions): Promise<Tab> {
	const { driver, stop } = await startDriver()
	const proxy = await startConsoleProxy(origin)
	const errors: string[] = []
	const noteErrors = async () =>
		void errors.push(...(await driver.executeScript<string[]>('return (console.noted ?? []).splice(0)')))
	await driver.manage().window().setRect(size)
	return {
		async open(path) {
			await noteErrors()
			await driver.get(new URL(path, proxy.origin).href)
		},
		see: (xpath, timeoutMs) => act(driver, xpath, async () => {}, { timeoutMs }),
		seeNone: (xpath) => untilGone(xpath, async () => (await driver.findElements(By.xpath(xpath))).length > 0),
		click: (xpath) => act(driver, xpath, (element) => element.click()),
		fill: (xpath, text) =>
			act(driver, xpath, async (element) => {
				await element.clear()
				await element.sendKeys(text)
			}),
		choose: (xpath, path) => act(driver, xpath, (element) => element.sendKeys(path), { isHidden: true }),
		screenshot: async (path) => writeFile(path, await driver.takeScreenshot(), 'base64'),
		async errors() {
			await noteErrors()
			return [...errors, ...proxy.refused]
		},
		async close() {
			await driver.quit().catch(() => {})
			await proxy.close()
			stop()
		},
	}
}

/** Repeats an action until the element is present, visible and accepts it: a page that is being drawn replaces elements. */
async function act(
	driver: WebDriver,
	xpath: string,
	action: (element: WebElement) => Promise<unknown>,
	{ timeoutMs = SEE_TIMEOUT_MS, isHidden = false } = {},
): Promise<void> {
	const deadline = Date.now() + timeoutMs
	for (;;) {
		try {
			const element = await driver.findElement(By.xpath(xpath))
			if (!isHidden && !(await element.isDisplayed())) throw new Error(`${xpath} is not visible`)
			await action(element)
			return
		} catch (error) {
			if (Date.now() > deadline) throw new Error(`${xpath}: ${String(error)}`, { cause: error })
			await sleep(POLL_INTERVAL_MS)
		}
	}
}

async function startDriver(): Promise<{ driver: WebDriver; stop: () => void }> {
	const port = await findFreePort()
	const screen = hasScreen() ? [] : [VIRTUAL_SCREEN, '-a', '-s', '-screen 0 1600x1200x24']
	const [program, ...args] = [...screen, DRIVER, '-p', String(port)]
	// Driver, screen and browser are one process group, which is ended as a whole.
	const child = spawn(program, args, { stdio: 'ignore', detached: true })
	await once(child, 'spawn')
	const stop = () => endGroup(child)
	process.once('exit', stop)
	try {
		return { driver: await connect(port), stop }
	} catch (error) {
		stop()
		throw error
	}
}

async function connect(port: number): Promise<WebDriver> {
	const deadline = Date.now() + SEE_TIMEOUT_MS
	const url = `http://127.0.0.1:${port}`
	while (!(await fetch(`${url}/status`).catch(() => null))?.ok) {
		if (Date.now() > deadline) throw new Error(`${DRIVER} did not start`)
		await sleep(POLL_INTERVAL_MS)
	}
	const capabilities = new Capabilities().set('browserName', 'MiniBrowser')
	return new Builder().usingServer(url).withCapabilities(capabilities).build()
}

function endGroup({ pid }: ChildProcess): void {
	try {
		if (pid) process.kill(-pid)
	} catch {
		// The process has already ended.
	}
}
