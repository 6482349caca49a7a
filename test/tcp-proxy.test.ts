import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { connect, transaction, type Db } from '#lib/server/db.ts'
import { createTestDatabase } from './database.ts'
import { startTcpProxy, type TcpProxy, type TcpProxyOptions } from './servers/tcp-proxy.ts'
import { until } from './until.ts'

let echo: Server
let echoPort = 0
let database: Awaited<ReturnType<typeof createTestDatabase>>
const closers: (() => unknown)[] = []

before(async () => {
	echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
	await once(echo, 'listening')
	const address = echo.address()
	echoPort = typeof address === 'object' && address ? address.port : 0
	database = await createTestDatabase()
	await database.sql`create table notes (id integer)`
})
after(async () => {
	echo.close()
	await database.drop()
})
afterEach(async () => {
	for (const close of closers.splice(0).toReversed()) await close()
	await database.sql`truncate notes`
})

interface Line {
	socket: Socket
	/** Bytes received so far, as text. */
	text: string
	end: 'open' | 'ended' | 'reset'
}

async function startProxy(options: Partial<TcpProxyOptions> = {}): Promise<TcpProxy> {
	const proxy = await startTcpProxy({ port: echoPort, ...options })
	closers.push(() => proxy.close())
	return proxy
}

async function openLine(proxy: TcpProxy): Promise<Line> {
	const socket = connectSocket(proxy.port, '127.0.0.1')
	closers.push(() => socket.destroy())
	const line: Line = { socket, text: '', end: 'open' }
	socket.setEncoding('utf8').on('data', (chunk: string) => (line.text += chunk))
	socket.on('end', () => (line.end = 'ended')).on('error', () => (line.end = 'reset'))
	await once(socket, 'connect')
	socket.write('hello ')
	await until(() => line.text === 'hello ')
	return line
}

test('the proxy forwards a megabyte both ways and ends the connection when the client ends it', async () => {
	const proxy = await startProxy()
	const line = await openLine(proxy)
	line.socket.end('x'.repeat(1_000_000))
	await until(() => line.end === 'ended')
	assert.equal(line.text.length, 1_000_006)
	await until(() => proxy.connections.length === 0)
})

test('the proxy’s cut without a filter resets every connection of the proxy', async () => {
	const proxy = await startProxy()
	const lines = [await openLine(proxy), await openLine(proxy)]
	assert.equal(proxy.cut(), 2)
	await until(() => lines.every((line) => line.end === 'reset'))
	assert.equal(proxy.connections.length, 0)
})

test('a proxy that refuses resets its connections and each new one, until it serves again', async () => {
	const proxy = await startProxy()
	const line = await openLine(proxy)
	proxy.refuse(true)
	await until(() => line.end === 'reset')
	const refused = connectSocket(proxy.port, '127.0.0.1')
	const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
	assert.equal(error.code, 'ECONNRESET')
	proxy.refuse(false)
	assert.equal((await openLine(proxy)).end, 'open')
})

test("cut('random') resets the one connection that the given random number chooses", async () => {
	const proxy = await startProxy({ random: () => 0.99 })
	const [first, second] = [await openLine(proxy), await openLine(proxy)]
	assert.equal(proxy.cut('random'), 1)
	await until(() => second.end === 'reset')
	assert.equal(first.end, 'open')
})

test('a client is reset when the server behind the proxy cannot be reached', async () => {
	const unused = await startProxy()
	await unused.close()
	const proxy = await startProxy({ port: unused.port })
	const socket = connectSocket(proxy.port, '127.0.0.1')
	const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
	assert.equal(error.code, 'ECONNRESET')
})

test('silence of the proxy withholds all bytes with the sockets open, and resume delivers them', async () => {
	const proxy = await startProxy()
	const [silent, other] = [await openLine(proxy), await openLine(proxy)]
	assert.equal(
		proxy.silence((connection) => connection.id === 1),
		1,
	)
	silent.socket.end('one ')
	other.socket.write('two')
	await until(() => other.text === 'hello two')
	assert.deepEqual({ text: silent.text, end: silent.end }, { text: 'hello ', end: 'open' })
	proxy.resume()
	await until(() => silent.end === 'ended')
	assert.equal(silent.text, 'hello one ')
})

test('silence only towards the client lets the server receive the client’s bytes', async () => {
	const received: string[] = []
	const listener = createServer((socket) => {
		socket.on('error', () => {})
		socket.on('data', (chunk) => {
			received.push(chunk.toString())
			socket.write(chunk)
		})
	}).listen(0, '127.0.0.1')
	await once(listener, 'listening')
	closers.push(() => listener.close())
	const address = listener.address()
	const proxy = await startProxy({ port: typeof address === 'object' && address ? address.port : 0 })
	const line = await openLine(proxy)
	proxy.silence('all', 'to-client')
	line.socket.write('again')
	await until(() => received.join('') === 'hello again')
	assert.equal(line.text, 'hello ')
})

async function startPostgresProxy() {
	const { hostname, port } = new URL(database.url)
	const proxy = await startProxy({ host: hostname, port: Number(port || 5432) })
	return { proxy, db: openPool(proxy, 'through the proxy') }
}

function openPool(proxy: TcpProxy, name: string): Db {
	const db = connect(proxy.url(database.url), { max: 1, name })
	closers.push(() => {
		// An answer that never arrives would keep the pool from closing.
		proxy.cut()
		return db.end()
	})
	return db
}

async function storedNotes(): Promise<number[]> {
	return (await database.sql<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id)
}

test('a connection of the proxy has its application name and the statements of its open transaction', async () => {
	const { proxy, db } = await startPostgresProxy()
	await transaction(db, async (sql) => {
		await sql`insert into notes values (${1})`
		const [connection] = proxy.connections
		assert.equal(connection?.applicationName, 'through the proxy')
		assert.equal(connection?.isInTransaction, true)
		assert.match(connection?.statements.join('; ') ?? '', /begin.*insert into notes/i)
	})
	assert.equal(proxy.connections[0]?.isInTransaction, false)
	assert.deepEqual(proxy.connections[0]?.statements, [])
})

for (const ending of ['cut', 'silence'] as const) {
	test(`dropReplyTo commits at the server, and the client gets no answer to its COMMIT (${ending})`, async () => {
		const { proxy, db } = await startPostgresProxy()
		await db`insert into notes values (${1})`
		const loss = proxy.dropReplyTo('commit', { ending })
		const answers: string[] = []
		transaction(db, async (sql) => sql`insert into notes values (${2})`).then(
			() => answers.push('committed'),
			() => answers.push('failed'),
		)
		await loss.happened
		assert.deepEqual(await storedNotes(), [1, 2])
		assert.equal(loss.count, 1)
		if (ending === 'cut') await until(() => answers[0] === 'failed')
		else assert.deepEqual([answers, proxy.connections[0]?.isSilent], [[], true])
	})
}

test('dropReplyTo finds a prepared statement by its name, only on the selected connections', async () => {
	const { proxy, db } = await startPostgresProxy()
	const insert = (id: number) => db`insert into notes values (${id})`
	await insert(1)
	const loss = proxy.dropReplyTo('INSERT INTO notes', { ending: 'cut', where: () => proxy.connections.length === 2 })
	await insert(2)
	await openPool(proxy, 'second')`select 1`
	await assert.rejects(async () => insert(3))
	assert.equal((await loss.happened).applicationName, 'through the proxy')
	assert.deepEqual(await storedNotes(), [1, 2, 3])
	await insert(4)
	assert.equal(loss.count, 1)
})

test('dropRequest keeps a COMMIT from the server, so that the transaction is rolled back when the connection is cut', async () => {
	const { proxy, db } = await startPostgresProxy()
	const loss = proxy.dropRequest('commit', { ending: 'cut' })
	await assert.rejects(async () => transaction(db, async (sql) => sql`insert into notes values (${1})`))
	await loss.happened
	assert.deepEqual(await storedNotes(), [])
	loss.cancel()
	await transaction(db, async (sql) => sql`insert into notes values (${2})`)
	assert.deepEqual(await storedNotes(), [2])
})

test('dropReplyTo withholds the reply from its first byte when earlier replies come in the same packet', async () => {
	const { proxy, db } = await startPostgresProxy()
	await db`select 1`
	const loss = proxy.dropReplyTo('select 3')
	const answers: number[] = []
	const queries = [
		db<{ n: number }[]>`select 1 as n, repeat('x', 100000) as filling`,
		db<{ n: number }[]>`select 2 as n, repeat('x', 100000) as filling`,
		db<{ n: number }[]>`select 3 as n, repeat('x', 100000) as filling`,
	]
	for (const query of queries) {
		query.then(
			([row]) => answers.push(row?.n ?? 0),
			() => {},
		)
	}
	await loss.happened
	await until(() => answers.length === 2)
	assert.deepEqual(answers, [1, 2])
})
