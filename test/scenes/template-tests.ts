import { templates, type CreateTemplateBody } from '#features/templates/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import type { Credentials } from '#simulator/control.ts'
import type { Fault } from '#simulator/network/faults.ts'
import type { TestAccount } from '../factories.ts'
import type { Answer, TestApp } from '../http-app.ts'

/** An app with the simulator, for tests of templates. */
export interface TemplateTests {
	/** Creates a user with a sender at the simulator, by default with an App ID. */
	connected(given?: { hasApp?: boolean }): Promise<Credentials & { person: TestAccount }>
	/** Submits the valid form below with these changes. */
	create(person: TestAccount, change?: TemplateForm, file?: File): Promise<Answer<typeof templates.create>>
	list(person: TestAccount, query?: object): Promise<Answer<typeof templates.list>['body']>
	/** Adds a fault to the calls about templates, unless it names others. */
	fault(given: object): Promise<void>
}

export type TemplateForm = Partial<Record<keyof CreateTemplateBody, string>>

const FORM: TemplateForm = {
	name: 'order_update',
	category: 'UTILITY',
	language: 'en_US',
	body_text: 'Dear {{1}}, your order {{2}} is on its way.',
	body_examples: '["Asha","A-17"]',
}

export function templateTests(app: TestApp): TemplateTests {
	return {
		async connected({ hasApp = true } = {}) {
			const [admin, person] = [await app.signIn('admin'), await app.signIn('user')]
			const credentials = await app.simulator.control.createAccount()
			const body = { ...credentials, app_id: hasApp ? credentials.app_id : '' }
			await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body }, admin)
			return { person, ...credentials }
		},
		create(person, change = {}, file) {
			const body = { ...FORM, ...change } as never
			return app.call(templates.create, { body, ...(file && { files: { header_file: file } }) }, person)
		},
		list: async (person, query = {}) => (await app.call(templates.list, { query: query as never }, person)).body,
		fault: (given) => app.simulator.control.addFault({ call: 'message_templates', ...given } as Fault),
	}
}

/** Returns the messages at fields in a refusal. */
export function fieldsOf(body: unknown): Record<string, string> {
	return (body as { fields?: Record<string, string> }).fields ?? {}
}

/** Small files with the first bytes of their type. */
export const PNG: Buffer = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])
export const MP4: Buffer = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
export const THREE_GP: Buffer = Buffer.from('\0\0\0\x18ftyp3gp5\0\0\0\0', 'latin1')
export const PDF: Buffer = Buffer.from('%PDF-1.4 a price list', 'latin1')

export function fileOf(content: Buffer, name: string, type: string): File {
	return new File([new Uint8Array(content)], name, { type })
}

export function picture(): File {
	return fileOf(PNG, 'offer.png', 'image/png')
}
