import type { ContactContext } from '#features/contacts/server/service.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import type { FileContext } from '#features/header-files/server/service.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { describeV1, V1_CALLS } from '../docs/document.ts'
import { accountRoutes } from './account-routes.ts'
import { campaignRoutes } from './campaign-routes.ts'
import { contactRoutes } from './contact-routes.ts'
import { serveKeyGate } from './key-gate.ts'
import { messageRoutes } from './message-routes.ts'
import { serveProblems } from './problems.ts'

/** Mounts the calls of programs with an API key, under the rules of /v1. */
export async function v1Routes(http: Http, context: ContactContext & FileContext): Promise<void> {
	await http.register(
		async (v1Http: Http) => {
			serveProblems(v1Http, V1_CALLS)
			serveKeyGate(v1Http, context)
			mount(v1Http, v1.description, async () => describeV1())
			accountRoutes(v1Http, context)
			contactRoutes(v1Http, context)
			messageRoutes(v1Http, context)
			campaignRoutes(v1Http, context)
		},
		{ prefix: '/v1' },
	)
}
