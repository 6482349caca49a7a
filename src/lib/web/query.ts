import { keepPreviousData, notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#lib/endpoint.ts'
import { ApiError, call, GATEWAY_ERRORS, type ArgList, type Args } from './api.ts'
import { isConnected, onReconnect } from './connection.ts'

/**
 * One per page load. An error of the server is an answer, and a person asks again; what did not answer is asked for again
 * twice. Without a network a reading fails at once instead of waiting: what failed is read again when the network is back.
 */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 15_000,
			networkMode: 'always',
			retry: (failures, error) => isUnanswered(error) && failures < 2 && isConnected(),
			retryDelay: (attempt) => 500 * 2 ** attempt,
		},
		mutations: { networkMode: 'always', retry: false },
	},
})

// A button is busy before the next click arrives, instead of a timer later: a double click does a thing once.
notifyManager.setScheduler(queueMicrotask)

onReconnect(() => void queryClient.invalidateQueries())

/** No answer, or one of a proxy in front of a server that does not answer. */
function isUnanswered(error: unknown): boolean {
	return error instanceof ApiError && (error.status === 0 || GATEWAY_ERRORS.includes(error.status))
}

/** A reading that nothing on the screen offers to repeat, as those of the header: one that failed is repeated by itself. */
export function persistent<Options extends object>(options: Options) {
	return {
		...options,
		refetchInterval: (reading: { state: { status: string } }) => reading.state.status === 'error' && RETRY_INTERVAL_MS,
	} as const
}

const RETRY_INTERVAL_MS = 15_000

interface KeyParts {
	params?: unknown
	query?: unknown
}

/** What `useQuery` needs to read `endpoint`: `useQuery(query(campaigns.list, { query: { page } }))`. */
export function query<E extends Endpoint>(endpoint: E, ...args: ArgList<E>) {
	const { params = {}, query: search = {} } = (args[0] ?? {}) as KeyParts
	return queryOptions({
		queryKey: [endpoint.path, params, search],
		queryFn: ({ signal }) => call(endpoint, ...([{ ...args[0], signal }] as unknown as ArgList<E>)),
	})
}

/** As `query`, and the old page stays in view while the next one loads. */
export function paged<E extends Endpoint>(
	endpoint: E,
	...args: ArgList<E>
): ReturnType<typeof query<E>> & { placeholderData: typeof keepPreviousData } {
	return { ...query(endpoint, ...args), placeholderData: keepPreviousData }
}

/** What `useMutation` needs: `useMutation({ ...mutation(users.remove), onSuccess })`, then `mutate({ params: { id } })`. */
export function mutation<E extends Endpoint>(endpoint: E) {
	return { mutationFn: (args: Args<E>) => call(endpoint, ...([args] as unknown as ArgList<E>)) }
}

/** Fetches anew what is on screen of these endpoints, and forgets the rest of them, whatever their pages and searches. */
export async function invalidate(...endpoints: Endpoint[]): Promise<void> {
	await Promise.all(endpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}
