import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'

export const pricing = {
	/** What one message costs this account, in rupees. */
	mine: endpoint({
		method: 'GET',
		path: '/api/pricing/mine',
		access: 'user',
		response: z.object({ marketingPrice: z.number(), utilityPrice: z.number() }),
	}),
}
