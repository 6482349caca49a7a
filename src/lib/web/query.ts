import { keepPreviousData, notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#lib/endpoint.ts'
import { ApiError, call, GATEWAY_ERRORS, type ArgList, type Args } from './api.ts'
import { isConnected, onReconnect } from './connection.ts'
import { readToken } from './session.ts'

/**
 * One per page load. A call without an answer is retried twice; an error response is not, as its screen offers Retry.
 * Without a network a query fails at once instead of pausing: all queries are refetched when the network is back.
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

/** For queries without a Retry button on the screen, such as those of the header: after a failure they refetch by themselves. */
export function selfRetrying<Options extends object>(options: Options) {
	return {
		...options,
		refetchInterval: ({ state }: { state: { status: string } }) => state.status === 'error' && RETRY_INTERVAL_MS,
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

/** Marks all queries of these endpoints as stale, whatever their parameters, and refetches those on screen. */
export async function invalidate(...endpoints: Endpoint[]): Promise<void> {
	// After the end of the session each would only fail, on top of what has just said so.
	if (readToken() === null) return
	await Promise.all(endpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}
