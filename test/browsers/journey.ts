import { join } from 'node:path'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, USER_SCREENS } from '../e2e/screens.ts'
import { button, field, FILE_INPUT, heading, link, LOADING, menuItem, option, radio, text, type Tab } from './tab.ts'

const CAMPAIGN_TIMEOUT_MS = 120_000

export interface Journey {
	tab: Tab
	/** Folder of the screenshots. */
	folder: string
	/** CSV files with a header and three numbers each, which no other journey has used. */
	contacts: string
	audience: string
	/** Name of the campaign and its segment; differs for each run. */
	campaign: string
	onStep: (name: string) => void
}

/** Performs a shop owner's working day, and then the admin's. */
export async function runJourney(journey: Journey): Promise<void> {
	const steps: [string, (journey: Journey) => Promise<void>][] = [
		['sign in', ({ tab }) => signIn(tab, DEMO_USER)],
		['upload contacts', uploadContacts],
		['segment', addSegment],
		['create campaign', createCampaign],
		['report', watchReport],
		['chat of a recipient', openChatOfRecipient],
		['payments', readPayments],
		['chat', writeInChat],
		['screens of the user', (given) => visit(given, [...COMMON_SCREENS, ...USER_SCREENS])],
		['sign out', ({ tab }) => signOut(tab)],
		['sign in as admin', ({ tab }) => signIn(tab, DEMO_ADMIN)],
		['screens of the admin', (given) => visit(given, ADMIN_SCREENS)],
	]
	for (const [index, [name, run]] of steps.entries()) {
		journey.onStep(name)
		const picture = join(journey.folder, `${String(index + 1).padStart(2, '0')} ${name}.png`)
		try {
			await run(journey)
		} finally {
			await journey.tab.screenshot(picture)
		}
	}
}

async function signIn(tab: Tab, { email, password }: { email: string; password: string }): Promise<void> {
	await tab.open('/login')
	await tab.fill(field('Email'), email)
	await tab.fill('//input[@type="password"]', password)
	await tab.click(button('Login'))
	await tab.see(text('Login successful!'))
	await tab.see('//main//h2')
	await tab.seeNone(LOADING)
}

async function signOut(tab: Tab): Promise<void> {
	await tab.click('//button[starts-with(normalize-space(.), "M") and contains(., "Account menu")]')
	await tab.click(menuItem('Logout'))
	await tab.click(`//*[@role="dialog"]${button('Logout')}`)
	await tab.see(text('Logged out successfully'))
	await tab.see(field('Email'))
}

async function uploadContacts({ tab, contacts }: Journey): Promise<void> {
	await tab.open('/upload/contact?tab=bulk')
	await tab.choose(FILE_INPUT, contacts)
	await tab.see('//section[@aria-label="Preview"]')
	await tab.click(button('Upload Contacts'))
	await tab.see(text('3 contacts uploaded successfully'))
	await tab.see(link('View them'))
	await tab.see(text('Journey 3', '//section[contains(., "Latest Contacts (Last 10)")]'))
}

/** Creates a segment of the contacts of one city. */
async function addSegment({ tab, campaign }: Journey): Promise<void> {
	await tab.open('/contact/segments')
	await tab.click(button('Add New Segment'))
	await tab.fill(field('Name'), campaign)
	await tab.fill('//input[@placeholder="Type or choose"]', 'Pune')
	await tab.see('//*[@role="dialog"]//*[@role="status"][contains(., " contacts")]')
	await tab.click(button('Save'))
	await tab.see(text(campaign, '//main'))
	await tab.seeNone(LOADING)
}

async function createCampaign({ tab, audience, campaign }: Journey): Promise<void> {
	await tab.open('/user/create/template/campaign')
	await tab.fill(field('Campaign name'), campaign)
	await tab.click('//input[@placeholder="Choose a template"]')
	await tab.click(option('New arrivals'))
	// The fields of the template move what is below them.
	await tab.see(field('Variable 1'))
	await tab.click(button('Open people'))
	await tab.click(radio('An uploaded file'))
	await tab.choose(FILE_INPUT, audience)
	await tab.see(text('uploaded successfully'))
	await tab.see('//*[@aria-label="Rows of the file"]')
	await tab.click(button('Change message'))
	await tab.fill(field('Variable 1'), '{{Customer}}')
	await tab.click(button('Open when'))
	await tab.click(radio('Schedule for later'))
	await tab.see(field('Date'))
	await tab.click(radio('Send now'))
	await tab.click(button('Send Campaign'))
	await tab.see(text('Campaign created successfully!'))
}

/** Watches the campaign's report from the first message to the last status update, without a reload. */
async function watchReport({ tab, campaign }: Journey): Promise<void> {
	await tab.see(heading(campaign))
	await tab.see('//*[normalize-space(text())="completed"]', CAMPAIGN_TIMEOUT_MS)
	await tab.see('//section[contains(., "Sent messages")]//*[normalize-space(text())="read"]', CAMPAIGN_TIMEOUT_MS)
	await tab.seeNone(LOADING)
}

async function readPayments({ tab, campaign }: Journey): Promise<void> {
	await tab.open('/user/recharge/transaction')
	await tab.see(button('Print Receipt'))
	await tab.click('//button[@role="tab"][normalize-space(.)="Statement"]')
	await tab.see(text(campaign, '//main'))
	await tab.click(`//button[@aria-label="Details of ${campaign}"]`)
	await tab.see(`(//*[@aria-label="Details of ${campaign}"]//td//*[normalize-space(text())="On hold"])[1]`)
	await tab.seeNone(LOADING)
}

/** Opens the chat of a recipient from the report, and checks that it shows the campaign's message. */
async function openChatOfRecipient({ tab, campaign }: Journey): Promise<void> {
	await tab.click('(//section[contains(., "Sent messages")]//a[starts-with(@href, "/user/live/chats?chat=")])[1]')
	await tab.see(text(campaign, '//*[@role="log"]'))
	await tab.seeNone(LOADING)
}

async function writeInChat({ tab, campaign }: Journey): Promise<void> {
	await tab.open('/user/live/chats')
	await tab.click('(//nav[@aria-label="Chats"]//a)[1]')
	await tab.see('//*[@role="log"]')
	const words = `Thank you from ${campaign}`
	await tab.fill('//textarea[@aria-label="Message"]', words)
	await tab.click(button('Send'))
	await tab.see(text(words, '//*[@role="log"]'))
	await tab.see(text('Today', '//*[@role="log"]'))
}

async function visit({ tab, folder }: Journey, paths: string[]): Promise<void> {
	for (const path of paths) {
		await tab.open(path)
		await tab.see('//main//h2')
		await tab.seeNone(LOADING)
		await tab.screenshot(join(folder, `${path.replaceAll('/', ' ').trim()}.png`))
		await tab.seeNone(heading('Something went wrong'))
	}
}
