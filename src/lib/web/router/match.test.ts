import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { matchPath } from './match.ts'

suite('matchPath', () => {
	for (const [path, pathname, params] of [
		['/', '/', {}],
		['/login', '/login', {}],
		['/login', '/Login/', {}],
		['/login', '/login/x', null],
		['/login', '/', null],
		['/campaign/:id', '/campaign/12', { id: '12' }],
		['/campaign/:id', '/campaign/12/', { id: '12' }],
		['/campaign/:id', '/campaign/', null],
		['/campaign/:id', '/campaign//', null],
		['/a/:x/b/:y', '/a/1/b/%C3%A9', { x: '1', y: 'é' }],
		['/a/:x', '/a/%zz', { x: '%zz' }],
		['*', '/any/thing', {}],
	] as const)
		test(`${path} and ${pathname} give ${JSON.stringify(params)}`, () =>
			assert.deepEqual(matchPath(path, pathname), params))
})
