import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateApi } from 'swagger-typescript-api'
import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { v1 } from '#features/developer/v1-contract.ts'
import type { v1Messages } from '#features/developer/v1-message-contract.ts'
import type { Endpoint, PartIn, ResponseOut } from '#lib/endpoint.ts'

type Answer<E extends Endpoint> = Promise<{ data: ResponseOut<E> }>
type Params = { headers?: Record<string, string> }

/** Types of some calls of the generated client, which is plain JavaScript. */
export interface ApiClient {
	v1: {
		sendMessage(
			body: PartIn<typeof v1Messages.sendMessage.body>,
			params?: Params,
		): Answer<typeof v1Messages.sendMessage>
		sendBatch(body: PartIn<typeof v1Messages.sendBatch.body>, params?: Params): Answer<typeof v1Messages.sendBatch>
		messages(query: PartIn<typeof v1Messages.messages.query>): Answer<typeof v1Messages.messages>
		createCampaign(
			body: PartIn<typeof v1Campaigns.createCampaign.body>,
			params?: Params,
		): Answer<typeof v1Campaigns.createCampaign>
		addRecipients(
			id: string,
			body: PartIn<typeof v1Campaigns.addRecipients.body>,
			params?: Params,
		): Answer<typeof v1Campaigns.addRecipients>
		startCampaign(id: string): Answer<typeof v1Campaigns.startCampaign>
		campaign(id: string): Answer<typeof v1Campaigns.campaign>
		balance(): Answer<typeof v1.balance>
	}
}

interface GeneratedModule {
	Api: new (http: object) => ApiClient
	HttpClient: new (options: object) => object
}

/** Generates a client only from the OpenAPI document at this address. */
export async function generateClient(url: string, token: string): Promise<ApiClient> {
	const spec = await (await fetch(`${url}/v1/openapi.json`)).json()
	const output = await mkdtemp(join(tmpdir(), 'test-api-client-'))
	try {
		const options = { toJS: true, silent: true, singleHttpClient: true, httpClientType: 'fetch' } as const
		await generateApi({ ...options, spec, output, fileName: 'client.ts' })
		const { Api, HttpClient } = (await import(pathToFileURL(join(output, 'client.js')).href)) as GeneratedModule
		const baseApiParams = { secure: true, headers: { authorization: `Bearer ${token}` } }
		return new Api(new HttpClient({ baseUrl: url, baseApiParams }))
	} finally {
		await rm(output, { recursive: true, force: true })
	}
}
