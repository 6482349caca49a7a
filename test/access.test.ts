import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { contract } from '#app/contract.ts'
import { fillPath, type Endpoint } from '#lib/endpoint.ts'
import { startTestApp, type TestApp } from './app.ts'
import { template, type TestAccount } from './factories.ts'

const endpoints = Object.entries(contract).flatMap(([feature, calls]) =>
	Object.entries(calls).map(([name, endpoint]) => ({ name: `${feature}.${name}`, endpoint: endpoint as Endpoint })),
)

let app: TestApp
let people: Record<'admin' | 'user' | 'other', TestAccount>
/** Ids of what belongs to `other`, by the name of the parameter or the feature. */
let others: Record<string, string>

before(async () => {
	app = await startTestApp()
	const [admin, user, other] = [await app.signIn('admin'), await app.signIn('user'), await app.signIn('user')]
	people = { admin, user, other }
	const { db } = app.context
	others = { userId: other.userId, templates: String((await template(db, other.ownerId)).id) }
})
after(() => app.close())

/** Calls with ids that read well and a body that does not matter: who may call is decided before it is looked at. */
function attempt(endpoint: Endpoint, token?: string, id = '1'): Promise<Response> {
	const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
	const path = fillPath(endpoint.path, Object.fromEntries(names.map((name) => [name, id])))
	return fetch(app.url + path, {
		method: endpoint.method,
		headers: { ...(token && { authorization: `Bearer ${token}` }) },
	})
}

suite('every endpoint of the contract', () => {
	for (const { name, endpoint } of endpoints) {
		if (endpoint.access !== 'public') {
			test(`${name} refuses a stranger and a made-up token`, async () => {
				assert.equal((await attempt(endpoint)).status, 401)
				assert.equal((await attempt(endpoint, 'made-up')).status, 401)
			})
		}
		if (endpoint.access === 'admin' || endpoint.access === 'user') {
			test(`${name} refuses the other role`, async () => {
				const { token } = people[endpoint.access === 'admin' ? 'user' : 'admin']
				assert.equal((await attempt(endpoint, token)).status, 403)
			})
		}
		if (/\{\w+\}/.test(endpoint.path) && endpoint.access !== 'admin') {
			test(`${name} does not find what belongs to another account`, async () => {
				const feature = name.split('.')[0] ?? ''
				const id = endpoint.path.includes('{userId}') ? others.userId : others[feature]
				assert.equal((await attempt(endpoint, people.user.token, id ?? '1')).status, 404)
			})
		}
	}
})
