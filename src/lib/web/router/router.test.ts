import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createRouter, type Route, type Router } from './router.ts'
import type { Browser } from './trail.ts'

const ORIGIN = 'https://shop.example'

/** Returns a browser with a history of its own, which steps later, as browsers do. */
function fakeBrowser(first: string) {
	const entries: { url: URL; state: unknown }[] = [{ url: new URL(first, ORIGIN), state: null }]
	const left: string[] = []
	let at = 0
	let step: (() => void) | null = null
	const current = () => entries[at] ?? { url: new URL(ORIGIN), state: null }
	const write = (count: number) => (state: unknown, _: string, address: string | URL) => {
		at += count
		entries.splice(at, count ? Infinity : 1, { url: new URL(address || current().url, ORIGIN), state })
	}
	const history = {
		get state() {
			return current().state
		},
		pushState: write(1),
		replaceState: write(0),
		go(count: number) {
			queueMicrotask(() => {
				at += count
				step?.()
			})
		},
	}
	const location = {
		origin: ORIGIN,
		get href() {
			return current().url.href
		},
		assign: (url: string | URL) => left.push(String(url)),
	}
	const addEventListener = (_: string, listener: () => void) => {
		step = listener
	}
	return {
		browser: { history, location, addEventListener } as unknown as Browser,
		history,
		left,
		addresses: () => entries.map(({ url }) => url.href.slice(ORIGIN.length)),
		address: () => current().url.href.slice(ORIGIN.length),
	}
}

const Screen = () => null
const screen = async () => Screen

const ROUTES: Route[] = [
	{ path: '/', screen },
	{ path: '/list', screen },
	{ path: '/list/:id', screen },
	{ path: '/closed', screen, guard: ({ search }) => `/list${search}` },
	{ path: '/broken', screen: () => Promise.reject(new Error('offline')) },
	{ path: '*', screen },
]

async function routerAt(first: string, routes = ROUTES) {
	const fake = fakeBrowser(first)
	const router = createRouter(routes, fake.browser)
	await router.ready
	return { ...fake, router }
}

const placeIn = (router: Router) => router.routed().page?.place

/** Resolves after all steps through the history and the pages that they open. */
const stepped = () => setImmediate()

suite('createRouter', () => {
	test('the first page is the one at the address, with the values of its path', async () => {
		const { router, addresses } = await routerAt('/list/12?page=2#end')
		const page = router.routed().page
		assert.deepEqual(page?.params, { id: '12' })
		assert.deepEqual(page.place, { pathname: '/list/12', search: '?page=2', hash: '#end', state: null, key: 'default' })
		assert.deepEqual(addresses(), ['/list/12?page=2#end'])
	})

	test('a navigation adds an entry, and one with `replace` replaces the current entry', async () => {
		const { router, addresses } = await routerAt('/')
		await router.navigate('/list', { state: 'made' })
		assert.equal(placeIn(router)?.state, 'made')
		await router.navigate('?page=2')
		await router.navigate({ search: 'page=3' }, { replace: true })
		assert.deepEqual(addresses(), ['/', '/list', '/list?page=3'])
		assert.equal(placeIn(router)?.state, null)
	})

	test('a step back shows the page before, with its state', async () => {
		const { router, history } = await routerAt('/')
		await router.navigate('/list', { state: 'made' })
		await router.navigate('/list/1')
		history.go(-1)
		await stepped()
		assert.deepEqual([placeIn(router)?.pathname, placeIn(router)?.state], ['/list', 'made'])
	})

	test('a guard redirects a navigation, a step and a first page', async () => {
		const opened = await routerAt('/closed?a=1')
		assert.deepEqual(opened.addresses(), ['/list?a=1'])
		await opened.router.navigate('/')
		await opened.router.navigate('/closed?b=2')
		assert.deepEqual(opened.addresses(), ['/list?a=1', '/', '/list?b=2'])
		opened.history.pushState({ idx: 3 }, '', '/closed')
		opened.history.go(0)
		await stepped()
		assert.equal(opened.address(), '/list')
	})

	test('a change of the query alone does not ask the guard and is shown at once', async () => {
		let asked = 0
		const guard = () => {
			asked++
			return null
		}
		const { router } = await routerAt('/', [{ path: '/', screen, guard }])
		void router.navigate('?page=2')
		assert.equal(placeIn(router)?.search, '?page=2')
		assert.equal(asked, 1)
	})

	test('a later navigation supersedes one whose screen still loads', async () => {
		const { promise, resolve } = Promise.withResolvers<typeof Screen>()
		const slow: Route = { path: '/slow', screen: () => promise }
		const { router, addresses } = await routerAt('/', [slow, ...ROUTES])
		const first = router.navigate('/slow')
		assert.equal(router.routed().isLoading, true)
		assert.equal(placeIn(router)?.pathname, '/')
		await router.navigate('/list')
		resolve(Screen)
		await first
		assert.deepEqual([addresses(), router.routed().isLoading], [['/', '/list'], false])
	})

	test('a screen that cannot be loaded has its address and no component', async () => {
		const { router, address } = await routerAt('/')
		await router.navigate('/broken')
		assert.deepEqual([address(), router.routed().page?.Screen], ['/broken', null])
	})

	test('an address of another site leaves the app, and two slashes name no host', async () => {
		const { router, left, address } = await routerAt('/')
		await router.navigate('https://other.example/a')
		assert.deepEqual(left, ['https://other.example/a'])
		await router.navigate('/.//other.example/a')
		assert.equal(address(), '/other.example/a')
	})

	test('the address is loaded when the browser refuses to change it', async () => {
		const { router, history, left } = await routerAt('/')
		history.pushState = () => {
			throw new Error('too many changes')
		}
		await router.navigate('/list')
		assert.deepEqual(left, [`${ORIGIN}/list`])
	})
})

/** Returns a router at its second page, which a blocker guards. */
async function blocked() {
	const at = await routerAt('/')
	await at.router.navigate('/list')
	const held: (() => void)[] = []
	const remove = at.router.block({
		blocks: (from, to) => from.pathname !== to.pathname,
		onBlocked: (proceed) => held.push(proceed),
	})
	return { ...at, held, remove }
}

suite('a blocker', () => {
	test('a blocked navigation stays until it is continued', async () => {
		const { router, addresses, held } = await blocked()
		await router.navigate('?page=2')
		await router.navigate('/list/1')
		assert.deepEqual(addresses(), ['/', '/list', '/list?page=2'])
		held[0]?.()
		await stepped()
		assert.deepEqual([held.length, placeIn(router)?.pathname], [1, '/list/1'])
	})

	test('a blocked step back is undone until it is continued', async () => {
		const { router, history, address, held } = await blocked()
		history.go(-1)
		await stepped()
		assert.deepEqual([address(), placeIn(router)?.pathname, held.length], ['/list', '/list', 1])
		held[0]?.()
		await stepped()
		assert.deepEqual([address(), placeIn(router)?.pathname, held.length], ['/', '/', 1])
	})

	test('a removed blocker asks no more', async () => {
		const { router, held, remove } = await blocked()
		remove()
		await router.navigate('/list/1')
		assert.deepEqual([held.length, placeIn(router)?.pathname], [0, '/list/1'])
	})
})
